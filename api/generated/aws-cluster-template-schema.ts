/* Made from crds/AWSClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
export const AWSClusterTemplateSchema: Readonly<Record<string, unknown>> = {
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
        "AWSClusterTemplate"
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
                "region"
              ],
              "properties": {
                "region": {
                  "type": "string",
                  "maxLength": 32,
                  "pattern": "^[a-z]+(-[a-z]+)+-[0-9]+$"
                },
                "controlPlaneEndpoint": {
                  "type": "object",
                  "required": [
                    "host",
                    "port"
                  ],
                  "properties": {
                    "host": {
                      "type": "string",
                      "minLength": 1,
                      "maxLength": 512
                    },
                    "port": {
                      "type": "integer",
                      "format": "int32",
                      "minimum": 1,
                      "maximum": 65535
                    }
                  }
                },
                "network": {
                  "type": "object",
                  "properties": {
                    "vpc": {
                      "type": "object",
                      "required": [
                        "id"
                      ],
                      "properties": {
                        "id": {
                          "type": "string",
                          "maxLength": 64,
                          "pattern": "^vpc-[0-9a-f]+$"
                        }
                      }
                    },
                    "subnets": {
                      "type": "array",
                      "maxItems": 64,
                      "x-kubernetes-list-type": "atomic",
                      "x-kubernetes-validations": [
                        {
                          "rule": "self.all(one, !has(one.id) || self.exists_one(other, has(other.id) && other.id == one.id))",
                          "message": "subnets names a subnet twice; keep one of the two, with its availabilityZone"
                        }
                      ],
                      "items": {
                        "type": "object",
                        "x-kubernetes-validations": [
                          {
                            "rule": "has(self.id) != has(self.filters)",
                            "message": "a subnet is named by either its id or filters; give one of the two and not both"
                          },
                          {
                            "rule": "!has(self.availabilityZone) || has(self.id)",
                            "fieldPath": ".availabilityZone",
                            "message": "availabilityZone belongs to an id, subnets that are found have their own; filter by availability-zone instead"
                          }
                        ],
                        "properties": {
                          "id": {
                            "type": "string",
                            "maxLength": 64,
                            "pattern": "^subnet-[0-9a-f]+$"
                          },
                          "filters": {
                            "type": "array",
                            "minItems": 1,
                            "maxItems": 10,
                            "x-kubernetes-list-type": "atomic",
                            "items": {
                              "type": "object",
                              "required": [
                                "name",
                                "values"
                              ],
                              "properties": {
                                "name": {
                                  "type": "string",
                                  "minLength": 1,
                                  "maxLength": 128
                                },
                                "values": {
                                  "type": "array",
                                  "minItems": 1,
                                  "maxItems": 20,
                                  "x-kubernetes-list-type": "atomic",
                                  "items": {
                                    "type": "string",
                                    "maxLength": 256
                                  }
                                }
                              }
                            }
                          },
                          "availabilityZone": {
                            "type": "string",
                            "maxLength": 64,
                            "pattern": "^[a-z]+(-[a-z0-9]+)+$"
                          },
                          "isPublic": {
                            "type": "boolean"
                          }
                        }
                      }
                    },
                    "securityGroupOverrides": {
                      "type": "object",
                      "properties": {
                        "node": {
                          "type": "string",
                          "maxLength": 64,
                          "pattern": "^sg-[0-9a-f]+$"
                        },
                        "lb": {
                          "type": "string",
                          "maxLength": 64,
                          "pattern": "^sg-[0-9a-f]+$"
                        },
                        "node-eks-additional": {
                          "type": "string",
                          "maxLength": 64,
                          "pattern": "^sg-[0-9a-f]+$"
                        }
                      }
                    }
                  }
                },
                "sshKeyName": {
                  "type": "string",
                  "maxLength": 255,
                  "pattern": "^([!-~]([ -~]*[!-~])?)?$"
                },
                "imageLookupFormat": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 128,
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.matches('^([^{}]|[{][{] *[.](BaseOS|K8sVersion) *[}][}])*$')",
                      "message": "imageLookupFormat knows the substitutions {{.BaseOS}} and {{.K8sVersion}} only; write everything else as it is, with ? and * for what varies"
                    }
                  ]
                },
                "imageLookupOrg": {
                  "type": "string",
                  "maxLength": 32,
                  "pattern": "^([0-9]{12}|self|amazon|aws-marketplace)$"
                },
                "imageLookupBaseOS": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 64,
                  "pattern": "^[A-Za-z0-9._-]+$"
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
