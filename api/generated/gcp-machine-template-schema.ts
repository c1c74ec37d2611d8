/* Made from crds/GCPMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
export const GCPMachineTemplateSchema: Readonly<Record<string, unknown>> = {
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
        "GCPMachineTemplate"
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
                  "rule": "self.?onHostMaintenance.orValue('') != 'Migrate' || !(self.?provisioningModel.orValue('') == 'Spot' || self.?preemptible.orValue(false))",
                  "fieldPath": ".onHostMaintenance",
                  "message": "onHostMaintenance Migrate excludes spot, GCE moves no spot instance to another host; take Terminate, or leave it out"
                },
                {
                  "rule": "self.?onHostMaintenance.orValue('') != 'Migrate' || !has(self.guestAccelerators) || size(self.guestAccelerators) == 0",
                  "fieldPath": ".onHostMaintenance",
                  "message": "onHostMaintenance Migrate excludes guestAccelerators, GCE moves no instance that has them; take Terminate, or leave it out"
                },
                {
                  "rule": "self.?confidentialCompute.orValue('Disabled') == 'Disabled' || self.?onHostMaintenance.orValue('') == 'Terminate' || (self.?provisioningModel.orValue('') == 'Spot' || self.?preemptible.orValue(false))",
                  "fieldPath": ".onHostMaintenance",
                  "message": "onHostMaintenance has to be Terminate with confidentialCompute; set it"
                },
                {
                  "rule": "!has(self.instanceTerminationAction) || self.?provisioningModel.orValue('') == 'Spot'",
                  "fieldPath": ".instanceTerminationAction",
                  "message": "instanceTerminationAction belongs to provisioningModel Spot, GCE knows it of no other instance; set that, or remove it"
                },
                {
                  "rule": "!has(self.preemptionNoticeDuration) || self.?provisioningModel.orValue('') == 'Spot'",
                  "fieldPath": ".preemptionNoticeDuration",
                  "message": "preemptionNoticeDuration belongs to provisioningModel Spot, GCE takes back no other instance so; set that, or remove it"
                },
                {
                  "rule": "!has(self.reservationAffinity) || self.reservationAffinity.consumeReservationType == 'NO_RESERVATION' || !(self.?provisioningModel.orValue('') == 'Spot' || self.?preemptible.orValue(false))",
                  "fieldPath": ".reservationAffinity",
                  "message": "reservationAffinity excludes spot, GCE runs no spot instance in a reservation; take NO_RESERVATION, or remove it"
                }
              ],
              "properties": {
                "instanceType": {
                  "type": "string",
                  "minLength": 2,
                  "maxLength": 63,
                  "pattern": "^[a-z][a-z0-9-]*$"
                },
                "subnet": {
                  "type": "string",
                  "maxLength": 63,
                  "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"
                },
                "aliasIPRanges": {
                  "type": "array",
                  "maxItems": 100,
                  "x-kubernetes-list-type": "atomic",
                  "items": {
                    "type": "object",
                    "required": [
                      "ipCidrRange"
                    ],
                    "properties": {
                      "ipCidrRange": {
                        "type": "string",
                        "maxLength": 18,
                        "pattern": "^(([0-9]{1,3}\\.){3}[0-9]{1,3})?(/([0-9]|[12][0-9]|3[0-2]))?$",
                        "minLength": 2
                      },
                      "subnetworkRangeName": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": 63
                      }
                    }
                  }
                },
                "imageFamily": {
                  "type": "string",
                  "maxLength": 512,
                  "pattern": "^(https://[a-z0-9.-]+/compute/[a-z0-9]+/)?projects/[a-z0-9:.-]+/global/images/family/[a-z0-9-]+$"
                },
                "image": {
                  "type": "string",
                  "maxLength": 512,
                  "pattern": "^(https://[a-z0-9.-]+/compute/[a-z0-9]+/)?projects/[a-z0-9:.-]+/global/images/[a-z0-9-]+$"
                },
                "additionalLabels": {
                  "type": "object",
                  "maxProperties": 25,
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.all(key, key.matches('^[a-z][a-z0-9_-]{0,62}$'))",
                      "message": "every key of additionalLabels must begin with a small letter and have at most 63 small letters, digits, - and _; correct it"
                    },
                    {
                      "rule": "self.all(key, self[key].matches('^[a-z0-9_-]*$'))",
                      "message": "values of additionalLabels can have small letters, digits, - and _ only; correct the value"
                    },
                    {
                      "rule": "self.all(key, !key.startsWith('capspot-') && !key.startsWith('capg-') && !key.startsWith('goog-'))",
                      "message": "additionalLabels cannot have keys that start with capspot-, capg- or goog-: controllers know their instances by them; take other keys"
                    }
                  ],
                  "additionalProperties": {
                    "type": "string",
                    "maxLength": 63
                  }
                },
                "additionalMetadata": {
                  "type": "array",
                  "maxItems": 64,
                  "x-kubernetes-list-type": "map",
                  "x-kubernetes-list-map-keys": [
                    "key"
                  ],
                  "items": {
                    "type": "object",
                    "required": [
                      "key"
                    ],
                    "x-kubernetes-validations": [
                      {
                        "rule": "self.key != 'user-data'",
                        "fieldPath": ".key",
                        "message": "additionalMetadata cannot have the key user-data, the bootstrap data stands there; take another key"
                      }
                    ],
                    "properties": {
                      "key": {
                        "type": "string",
                        "maxLength": 128,
                        "pattern": "^[a-zA-Z0-9_-]+$"
                      },
                      "value": {
                        "type": "string",
                        "maxLength": 16384
                      }
                    }
                  }
                },
                "publicIP": {
                  "type": "boolean"
                },
                "additionalNetworkTags": {
                  "type": "array",
                  "maxItems": 60,
                  "x-kubernetes-list-type": "set",
                  "items": {
                    "type": "string",
                    "maxLength": 63,
                    "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"
                  }
                },
                "rootDeviceSize": {
                  "type": "integer",
                  "format": "int64",
                  "minimum": 10,
                  "maximum": 65536
                },
                "rootDeviceType": {
                  "type": "string",
                  "enum": [
                    "pd-standard",
                    "pd-ssd",
                    "pd-balanced",
                    "hyperdisk-balanced"
                  ]
                },
                "additionalDisks": {
                  "type": "array",
                  "maxItems": 24,
                  "x-kubernetes-list-type": "atomic",
                  "items": {
                    "type": "object",
                    "x-kubernetes-validations": [
                      {
                        "rule": "self.?deviceType.orValue('') != 'local-ssd' || self.?size.orValue(375) == 375",
                        "fieldPath": ".size",
                        "message": "a local-ssd has 375 GB, each of them; leave size out, and take several where more is needed"
                      },
                      {
                        "rule": "self.?deviceType.orValue('') != 'local-ssd' || !has(self.encryptionKey)",
                        "fieldPath": ".encryptionKey",
                        "message": "a local-ssd has no encryptionKey, GCE encrypts it by itself; remove the key, or take another deviceType"
                      }
                    ],
                    "properties": {
                      "deviceType": {
                        "type": "string",
                        "enum": [
                          "pd-standard",
                          "pd-ssd",
                          "local-ssd",
                          "pd-balanced",
                          "hyperdisk-balanced"
                        ]
                      },
                      "size": {
                        "type": "integer",
                        "format": "int64",
                        "minimum": 10,
                        "maximum": 65536
                      },
                      "encryptionKey": {
                        "type": "object",
                        "required": [
                          "keyType"
                        ],
                        "x-kubernetes-validations": [
                          {
                            "rule": "self.keyType == 'Managed'",
                            "fieldPath": ".keyType",
                            "message": "keyType Supplied is not supported, the key itself would stand here for all to read; take Managed and a key of Cloud KMS"
                          },
                          {
                            "rule": "self.keyType != 'Managed' || has(self.managedKey)",
                            "fieldPath": ".managedKey",
                            "message": "managedKey is needed with keyType Managed; name the key of Cloud KMS in managedKey.kmsKeyName"
                          }
                        ],
                        "properties": {
                          "keyType": {
                            "type": "string",
                            "enum": [
                              "Managed",
                              "Supplied"
                            ]
                          },
                          "kmsKeyServiceAccount": {
                            "type": "string",
                            "maxLength": 254,
                            "pattern": "^[^@\\s]+@[^@\\s]+$"
                          },
                          "managedKey": {
                            "type": "object",
                            "required": [
                              "kmsKeyName"
                            ],
                            "properties": {
                              "kmsKeyName": {
                                "type": "string",
                                "maxLength": 512,
                                "pattern": "^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+(/cryptoKeyVersions/[0-9]+)?$"
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                },
                "serviceAccounts": {
                  "type": "object",
                  "properties": {
                    "email": {
                      "type": "string",
                      "maxLength": 254,
                      "pattern": "^(default|[^@\\s]+@[^@\\s]+)$"
                    },
                    "scopes": {
                      "type": "array",
                      "minItems": 1,
                      "maxItems": 50,
                      "x-kubernetes-list-type": "atomic",
                      "items": {
                        "type": "string",
                        "maxLength": 256,
                        "pattern": "^https://"
                      }
                    }
                  }
                },
                "preemptible": {
                  "type": "boolean"
                },
                "provisioningModel": {
                  "type": "string",
                  "enum": [
                    "Standard",
                    "Spot"
                  ]
                },
                "instanceTerminationAction": {
                  "type": "string",
                  "enum": [
                    "Stop",
                    "Delete"
                  ]
                },
                "preemptionNoticeDuration": {
                  "type": "string",
                  "enum": [
                    "0s",
                    "120s"
                  ]
                },
                "ipForwarding": {
                  "type": "string",
                  "enum": [
                    "Enabled",
                    "Disabled"
                  ]
                },
                "shieldedInstanceConfig": {
                  "type": "object",
                  "properties": {
                    "secureBoot": {
                      "type": "string",
                      "enum": [
                        "Enabled",
                        "Disabled"
                      ]
                    },
                    "virtualizedTrustedPlatformModule": {
                      "type": "string",
                      "enum": [
                        "Enabled",
                        "Disabled"
                      ]
                    },
                    "integrityMonitoring": {
                      "type": "string",
                      "enum": [
                        "Enabled",
                        "Disabled"
                      ]
                    }
                  }
                },
                "onHostMaintenance": {
                  "type": "string",
                  "enum": [
                    "Migrate",
                    "Terminate"
                  ]
                },
                "confidentialCompute": {
                  "type": "string",
                  "enum": [
                    "Enabled",
                    "Disabled",
                    "AMDEncryptedVirtualization",
                    "AMDEncryptedVirtualizationNestedPaging",
                    "IntelTrustedDomainExtensions"
                  ]
                },
                "rootDiskEncryptionKey": {
                  "type": "object",
                  "required": [
                    "keyType"
                  ],
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.keyType == 'Managed'",
                      "fieldPath": ".keyType",
                      "message": "keyType Supplied is not supported, the key itself would stand here for all to read; take Managed and a key of Cloud KMS"
                    },
                    {
                      "rule": "self.keyType != 'Managed' || has(self.managedKey)",
                      "fieldPath": ".managedKey",
                      "message": "managedKey is needed with keyType Managed; name the key of Cloud KMS in managedKey.kmsKeyName"
                    }
                  ],
                  "properties": {
                    "keyType": {
                      "type": "string",
                      "enum": [
                        "Managed",
                        "Supplied"
                      ]
                    },
                    "kmsKeyServiceAccount": {
                      "type": "string",
                      "maxLength": 254,
                      "pattern": "^[^@\\s]+@[^@\\s]+$"
                    },
                    "managedKey": {
                      "type": "object",
                      "required": [
                        "kmsKeyName"
                      ],
                      "properties": {
                        "kmsKeyName": {
                          "type": "string",
                          "maxLength": 512,
                          "pattern": "^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+(/cryptoKeyVersions/[0-9]+)?$"
                        }
                      }
                    }
                  }
                },
                "guestAccelerators": {
                  "type": "array",
                  "maxItems": 8,
                  "x-kubernetes-list-type": "atomic",
                  "items": {
                    "type": "object",
                    "required": [
                      "count",
                      "type"
                    ],
                    "properties": {
                      "count": {
                        "type": "integer",
                        "format": "int64",
                        "minimum": 1,
                        "maximum": 16
                      },
                      "type": {
                        "type": "string",
                        "maxLength": 512,
                        "pattern": "^(.*/acceleratorTypes/)?[a-z0-9-]+$"
                      }
                    }
                  }
                },
                "reservationAffinity": {
                  "type": "object",
                  "required": [
                    "consumeReservationType"
                  ],
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.consumeReservationType != 'SPECIFIC_RESERVATION' || has(self.values)",
                      "fieldPath": ".values",
                      "message": "SPECIFIC_RESERVATION needs the reservation; name it in values"
                    },
                    {
                      "rule": "self.consumeReservationType == 'SPECIFIC_RESERVATION' || !has(self.values)",
                      "fieldPath": ".values",
                      "message": "only SPECIFIC_RESERVATION names a reservation; remove values, or correct consumeReservationType"
                    },
                    {
                      "rule": "self.consumeReservationType == 'SPECIFIC_RESERVATION' || !has(self.key)",
                      "fieldPath": ".key",
                      "message": "only SPECIFIC_RESERVATION names a reservation; remove key, or correct consumeReservationType"
                    }
                  ],
                  "properties": {
                    "consumeReservationType": {
                      "type": "string",
                      "enum": [
                        "ANY_RESERVATION",
                        "SPECIFIC_RESERVATION",
                        "NO_RESERVATION"
                      ]
                    },
                    "key": {
                      "type": "string",
                      "enum": [
                        "compute.googleapis.com/reservation-name"
                      ]
                    },
                    "values": {
                      "type": "array",
                      "minItems": 1,
                      "maxItems": 1,
                      "x-kubernetes-list-type": "atomic",
                      "items": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": 256
                      }
                    }
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
