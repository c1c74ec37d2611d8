/* Made from crds/AWSMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
export const AWSMachineTemplateSchema: Readonly<Record<string, unknown>> = {
  "type": "object",
  "required": [
    "apiVersion",
    "kind",
    "metadata",
    "spec"
  ],
  "properties": {
    "apiVersion": {
      "type": "string",
      "enum": [
        "spot.cluster.x-k8s.io/v1alpha1"
      ]
    },
    "kind": {
      "type": "string",
      "enum": [
        "AWSMachineTemplate"
      ]
    },
    "metadata": {
      "type": "object"
    },
    "spec": {
      "type": "object",
      "required": [
        "template"
      ],
      "properties": {
        "template": {
          "type": "object",
          "required": [
            "spec"
          ],
          "properties": {
            "metadata": {
              "type": "object",
              "minProperties": 1,
              "properties": {
                "labels": {
                  "type": "object",
                  "maxProperties": 64,
                  "additionalProperties": {
                    "type": "string",
                    "maxLength": 63
                  }
                },
                "annotations": {
                  "type": "object",
                  "maxProperties": 64,
                  "additionalProperties": {
                    "type": "string",
                    "maxLength": 65536
                  }
                }
              }
            },
            "spec": {
              "type": "object",
              "required": [
                "ami",
                "instanceType"
              ],
              "x-kubernetes-validations": [
                {
                  "rule": "self.?marketType.orValue('Spot') != 'OnDemand' || !has(self.spotMarketOptions)",
                  "fieldPath": ".spotMarketOptions",
                  "message": "spotMarketOptions asks for spot while marketType is OnDemand; remove one of the two"
                }
              ],
              "properties": {
                "instanceType": {
                  "type": "string",
                  "minLength": 2,
                  "maxLength": 64,
                  "pattern": "^[a-z0-9-]+\\.[a-z0-9-]+$"
                },
                "ami": {
                  "type": "object",
                  "required": [
                    "id"
                  ],
                  "properties": {
                    "id": {
                      "type": "string",
                      "maxLength": 64,
                      "pattern": "^ami-[0-9a-f]+$"
                    }
                  }
                },
                "marketType": {
                  "type": "string",
                  "enum": [
                    "OnDemand",
                    "Spot"
                  ]
                },
                "spotMarketOptions": {
                  "type": "object",
                  "properties": {
                    "maxPrice": {
                      "type": "string",
                      "maxLength": 16,
                      "x-kubernetes-validations": [
                        {
                          "rule": "self.matches('^[0-9]+([.][0-9]+)?$') && double(self) > 0.001",
                          "message": "maxPrice must be US dollars an hour, above 0.001 and written like \"0.05\"; leave it out to pay at most the on-demand price"
                        }
                      ]
                    }
                  }
                },
                "subnet": {
                  "type": "object",
                  "required": [
                    "id"
                  ],
                  "properties": {
                    "id": {
                      "type": "string",
                      "maxLength": 64,
                      "pattern": "^subnet-[0-9a-f]+$"
                    }
                  }
                },
                "additionalSecurityGroups": {
                  "type": "array",
                  "maxItems": 15,
                  "x-kubernetes-list-type": "map",
                  "x-kubernetes-list-map-keys": [
                    "id"
                  ],
                  "items": {
                    "type": "object",
                    "required": [
                      "id"
                    ],
                    "properties": {
                      "id": {
                        "type": "string",
                        "maxLength": 64,
                        "pattern": "^sg-[0-9a-f]+$"
                      }
                    }
                  }
                },
                "iamInstanceProfile": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 128,
                  "pattern": "^[A-Za-z0-9_+=,.@-]+$"
                },
                "sshKeyName": {
                  "type": "string",
                  "maxLength": 255
                },
                "rootVolume": {
                  "type": "object",
                  "required": [
                    "size"
                  ],
                  "x-kubernetes-validations": [
                    {
                      "rule": "!(self.?type.orValue('gp2') in ['io1', 'io2']) || has(self.iops)",
                      "fieldPath": ".iops",
                      "message": "rootVolume.type io1 and io2 need rootVolume.iops; set it, or take gp3"
                    },
                    {
                      "rule": "!has(self.iops) || self.?type.orValue('gp2') in ['gp3', 'io1', 'io2']",
                      "fieldPath": ".iops",
                      "message": "rootVolume.iops needs rootVolume.type gp3, io1 or io2; set the type, or remove iops"
                    },
                    {
                      "rule": "!has(self.throughput) || self.?type.orValue('gp2') == 'gp3'",
                      "fieldPath": ".throughput",
                      "message": "rootVolume.throughput needs rootVolume.type gp3; set the type, or remove throughput"
                    },
                    {
                      "rule": "!has(self.encryptionKey) || self.?encrypted.orValue(false)",
                      "fieldPath": ".encryptionKey",
                      "message": "rootVolume.encryptionKey needs rootVolume.encrypted: true; set it, or remove the key"
                    }
                  ],
                  "properties": {
                    "deviceName": {
                      "type": "string",
                      "maxLength": 64,
                      "pattern": "^(/dev/)?[a-z0-9]+$"
                    },
                    "size": {
                      "type": "integer",
                      "format": "int64",
                      "minimum": 8,
                      "maximum": 65536
                    },
                    "type": {
                      "type": "string",
                      "enum": [
                        "standard",
                        "gp2",
                        "gp3",
                        "io1",
                        "io2"
                      ]
                    },
                    "iops": {
                      "type": "integer",
                      "format": "int64",
                      "minimum": 100,
                      "maximum": 256000
                    },
                    "throughput": {
                      "type": "integer",
                      "format": "int64",
                      "minimum": 125,
                      "maximum": 2000
                    },
                    "encrypted": {
                      "type": "boolean"
                    },
                    "encryptionKey": {
                      "type": "string",
                      "minLength": 1,
                      "maxLength": 2048
                    }
                  }
                },
                "additionalTags": {
                  "type": "object",
                  "maxProperties": 20,
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.all(key, size(key) >= 1 && size(key) <= 128)",
                      "message": "every key of additionalTags must have 1 to 128 characters; shorten or name it"
                    },
                    {
                      "rule": "self.all(key, !key.lowerAscii().startsWith('aws:'))",
                      "message": "additionalTags cannot have keys that start with \"aws:\", they are AWS's own; take another prefix"
                    },
                    {
                      "rule": "self.all(key, !key.startsWith('spot.cluster.x-k8s.io/') && !key.startsWith('kubernetes.io/cluster/') && !key.startsWith('sigs.k8s.io/cluster-api-provider-aws/'))",
                      "message": "additionalTags cannot have keys that start with spot.cluster.x-k8s.io/, kubernetes.io/cluster/ or sigs.k8s.io/cluster-api-provider-aws/: controllers know their instances by them; take other keys"
                    }
                  ],
                  "additionalProperties": {
                    "type": "string",
                    "maxLength": 256
                  }
                }
              }
            }
          }
        }
      }
    },
    "status": {
      "type": "object"
    }
  }
}
