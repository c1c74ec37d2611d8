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
                "instanceType"
              ],
              "x-kubernetes-validations": [
                {
                  "rule": "!has(self.spotMarketOptions) || self.?marketType.orValue('Spot') == 'Spot'",
                  "fieldPath": ".spotMarketOptions",
                  "message": "spotMarketOptions asks for spot while marketType is OnDemand or CapacityBlock; remove one of the two"
                },
                {
                  "rule": "self.?marketType.orValue('') != 'CapacityBlock' || has(self.capacityReservationId)",
                  "fieldPath": ".capacityReservationId",
                  "message": "capacityReservationId is needed with marketType CapacityBlock; name the capacity block that was bought"
                },
                {
                  "rule": "!has(self.capacityReservationId) || self.?marketType.orValue(has(self.spotMarketOptions) ? 'Spot' : 'OnDemand') != 'Spot'",
                  "fieldPath": ".capacityReservationId",
                  "message": "capacityReservationId excludes spot, EC2 runs no spot instance in a reservation; remove it, or marketType Spot and spotMarketOptions"
                },
                {
                  "rule": "!has(self.capacityReservationId) || self.?capacityReservationPreference.orValue('') in ['', 'CapacityReservationsOnly']",
                  "fieldPath": ".capacityReservationPreference",
                  "message": "capacityReservationPreference must be CapacityReservationsOnly beside capacityReservationId; correct it, or leave it out"
                },
                {
                  "rule": "self.?capacityReservationPreference.orValue('') != 'CapacityReservationsOnly' || self.?marketType.orValue(has(self.spotMarketOptions) ? 'Spot' : 'OnDemand') != 'Spot'",
                  "fieldPath": ".capacityReservationPreference",
                  "message": "capacityReservationPreference CapacityReservationsOnly excludes spot, EC2 runs no spot instance in a reservation; remove one of the two"
                },
                {
                  "rule": "!has(self.placementGroupPartition) || has(self.placementGroupName)",
                  "fieldPath": ".placementGroupPartition",
                  "message": "placementGroupPartition is a partition of the group placementGroupName; name the group, or remove the partition"
                },
                {
                  "rule": "self.?tenancy.orValue('') != 'host' || self.?marketType.orValue(has(self.spotMarketOptions) ? 'Spot' : 'OnDemand') != 'Spot'",
                  "fieldPath": ".tenancy",
                  "message": "tenancy host excludes spot, EC2 runs no spot instance on a dedicated host; take dedicated, or buy on demand"
                },
                {
                  "rule": "!has(self.nonRootVolumes) || !has(self.rootVolume) || !has(self.rootVolume.deviceName) || self.nonRootVolumes.all(volume, volume.deviceName != self.rootVolume.deviceName)",
                  "fieldPath": ".nonRootVolumes",
                  "message": "nonRootVolumes cannot have the device of rootVolume; take another deviceName for the further disk"
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
                  "x-kubernetes-validations": [
                    {
                      "rule": "!has(self.eksLookupType)",
                      "fieldPath": ".eksLookupType",
                      "message": "ami.eksLookupType is not supported; set ami.id, or imageLookupOrg \"amazon\" with an imageLookupFormat such as \"amazon-eks-node-al2023-x86_64-standard-1.33-*\""
                    }
                  ],
                  "properties": {
                    "id": {
                      "type": "string",
                      "maxLength": 64,
                      "pattern": "^ami-[0-9a-f]+$"
                    },
                    "eksLookupType": {
                      "type": "string",
                      "maxLength": 64
                    }
                  }
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
                "marketType": {
                  "type": "string",
                  "enum": [
                    "OnDemand",
                    "Spot",
                    "CapacityBlock"
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
                "capacityReservationId": {
                  "type": "string",
                  "maxLength": 64,
                  "pattern": "^cr-[0-9a-f]+$"
                },
                "capacityReservationPreference": {
                  "type": "string",
                  "enum": [
                    "",
                    "None",
                    "CapacityReservationsOnly",
                    "Open"
                  ]
                },
                "subnet": {
                  "type": "object",
                  "x-kubernetes-validations": [
                    {
                      "rule": "has(self.id) != has(self.filters)",
                      "message": "subnet is named by either its id or filters; give one of the two and not both"
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
                    }
                  }
                },
                "publicIP": {
                  "type": "boolean"
                },
                "networkInterfaceType": {
                  "type": "string",
                  "enum": [
                    "interface",
                    "efa"
                  ]
                },
                "additionalSecurityGroups": {
                  "type": "array",
                  "maxItems": 15,
                  "x-kubernetes-list-type": "atomic",
                  "items": {
                    "type": "object",
                    "x-kubernetes-validations": [
                      {
                        "rule": "has(self.id) != has(self.filters)",
                        "message": "a security group is named by either its id or filters; give one of the two and not both"
                      }
                    ],
                    "properties": {
                      "id": {
                        "type": "string",
                        "maxLength": 64,
                        "pattern": "^sg-[0-9a-f]+$"
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
                  "maxLength": 255,
                  "pattern": "^([!-~]([ -~]*[!-~])?)?$"
                },
                "instanceMetadataOptions": {
                  "type": "object",
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.?instanceMetadataTags.orValue('disabled') == 'disabled'",
                      "fieldPath": ".instanceMetadataTags",
                      "message": "instanceMetadataTags cannot be enabled: EC2 then refuses tags with a slash, and those that say whose the instance is have one; remove it"
                    }
                  ],
                  "properties": {
                    "httpEndpoint": {
                      "type": "string",
                      "enum": [
                        "enabled",
                        "disabled"
                      ]
                    },
                    "httpProtocolIpv6": {
                      "type": "string",
                      "enum": [
                        "enabled",
                        "disabled"
                      ]
                    },
                    "httpPutResponseHopLimit": {
                      "type": "integer",
                      "format": "int64",
                      "minimum": 1,
                      "maximum": 64
                    },
                    "httpTokens": {
                      "type": "string",
                      "enum": [
                        "optional",
                        "required"
                      ]
                    },
                    "instanceMetadataTags": {
                      "type": "string",
                      "enum": [
                        "enabled",
                        "disabled"
                      ]
                    }
                  }
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
                      "message": "a volume of type io1 or io2 needs iops; set it, or take gp3"
                    },
                    {
                      "rule": "!has(self.iops) || self.?type.orValue('gp2') in ['gp3', 'io1', 'io2']",
                      "fieldPath": ".iops",
                      "message": "only a volume of type gp3, io1 or io2 has iops; set the type, or remove iops"
                    },
                    {
                      "rule": "!has(self.throughput) || self.?type.orValue('gp2') == 'gp3'",
                      "fieldPath": ".throughput",
                      "message": "only a volume of type gp3 has a throughput; set the type, or remove throughput"
                    },
                    {
                      "rule": "!has(self.encryptionKey) || self.?encrypted.orValue(true)",
                      "fieldPath": ".encryptionKey",
                      "message": "a volume with an encryptionKey is encrypted; remove the key, or encrypted: false"
                    },
                    {
                      "rule": "!(self.?type.orValue('gp2') in ['st1', 'sc1']) || self.size >= 125",
                      "fieldPath": ".size",
                      "message": "a volume of type st1 or sc1 has at least 125 GiB; make it larger, or take gp3"
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
                "nonRootVolumes": {
                  "type": "array",
                  "maxItems": 25,
                  "x-kubernetes-list-type": "map",
                  "x-kubernetes-list-map-keys": [
                    "deviceName"
                  ],
                  "items": {
                    "type": "object",
                    "required": [
                      "deviceName",
                      "size"
                    ],
                    "x-kubernetes-validations": [
                      {
                        "rule": "!(self.?type.orValue('gp2') in ['io1', 'io2']) || has(self.iops)",
                        "fieldPath": ".iops",
                        "message": "a volume of type io1 or io2 needs iops; set it, or take gp3"
                      },
                      {
                        "rule": "!has(self.iops) || self.?type.orValue('gp2') in ['gp3', 'io1', 'io2']",
                        "fieldPath": ".iops",
                        "message": "only a volume of type gp3, io1 or io2 has iops; set the type, or remove iops"
                      },
                      {
                        "rule": "!has(self.throughput) || self.?type.orValue('gp2') == 'gp3'",
                        "fieldPath": ".throughput",
                        "message": "only a volume of type gp3 has a throughput; set the type, or remove throughput"
                      },
                      {
                        "rule": "!has(self.encryptionKey) || self.?encrypted.orValue(true)",
                        "fieldPath": ".encryptionKey",
                        "message": "a volume with an encryptionKey is encrypted; remove the key, or encrypted: false"
                      },
                      {
                        "rule": "!(self.?type.orValue('gp2') in ['st1', 'sc1']) || self.size >= 125",
                        "fieldPath": ".size",
                        "message": "a volume of type st1 or sc1 has at least 125 GiB; make it larger, or take gp3"
                      }
                    ],
                    "properties": {
                      "deviceName": {
                        "type": "string",
                        "minLength": 1,
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
                          "io2",
                          "st1",
                          "sc1"
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
                  }
                },
                "uncompressedUserData": {
                  "type": "boolean"
                },
                "cloudInit": {
                  "type": "object",
                  "properties": {
                    "insecureSkipSecretsManager": {
                      "type": "boolean",
                      "x-kubernetes-validations": [
                        {
                          "rule": "self",
                          "message": "cloudInit.insecureSkipSecretsManager can only be true: the bootstrap data goes to EC2 as user data, AWS Secrets Manager is not used; set it to true, or remove it"
                        }
                      ]
                    }
                  }
                },
                "placementGroupName": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 255
                },
                "placementGroupPartition": {
                  "type": "integer",
                  "format": "int64",
                  "minimum": 1,
                  "maximum": 7
                },
                "tenancy": {
                  "type": "string",
                  "enum": [
                    "default",
                    "dedicated",
                    "host"
                  ]
                },
                "cpuOptions": {
                  "type": "object",
                  "minProperties": 1,
                  "properties": {
                    "confidentialCompute": {
                      "type": "string",
                      "enum": [
                        "Disabled",
                        "AmdSevSnp"
                      ]
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
      "type": "object",
      "properties": {
        "capacity": {
          "type": "object",
          "maxProperties": 32,
          "additionalProperties": {
            "type": "string",
            "maxLength": 32,
            "pattern": "^[0-9]+[A-Za-z]{0,2}$"
          }
        },
        "nodeInfo": {
          "type": "object",
          "properties": {
            "architecture": {
              "type": "string",
              "enum": [
                "amd64",
                "arm64"
              ]
            },
            "operatingSystem": {
              "type": "string",
              "enum": [
                "linux",
                "windows"
              ]
            }
          }
        }
      }
    }
  }
}
