/* Made from crds/AzureMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
export const AzureMachineTemplateSchema: Readonly<Record<string, unknown>> = {
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
        "AzureMachineTemplate"
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
                "vmSize"
              ],
              "x-kubernetes-validations": [
                {
                  "rule": "!has(self.spotVMOptions) || !has(self.capacityReservationGroupID)",
                  "fieldPath": ".capacityReservationGroupID",
                  "message": "capacityReservationGroupID excludes spotVMOptions, Azure runs no spot machine in a reservation; remove one of the two"
                },
                {
                  "rule": "!has(self.spotVMOptions) || self.spotVMOptions.?evictionPolicy.orValue('Delete') == 'Delete' || !has(self.osDisk) || !has(self.osDisk.diffDiskSettings)",
                  "fieldPath": ".spotVMOptions.evictionPolicy",
                  "message": "spotVMOptions.evictionPolicy must be Delete with an ephemeral osDisk (diffDiskSettings), such a disk does not outlive a deallocation; set it to Delete, or leave it out"
                },
                {
                  "rule": "!has(self.identity) || self.identity != 'UserAssigned' || has(self.userAssignedIdentities)",
                  "fieldPath": ".userAssignedIdentities",
                  "message": "userAssignedIdentities are needed with identity UserAssigned; name at least one, or set identity to None"
                },
                {
                  "rule": "!has(self.userAssignedIdentities) || self.?identity.orValue('None') == 'UserAssigned'",
                  "fieldPath": ".userAssignedIdentities",
                  "message": "userAssignedIdentities belong to identity UserAssigned; set identity to UserAssigned, or remove them"
                },
                {
                  "rule": "!has(self.networkInterfaces) || (!has(self.subnetName) && !has(self.acceleratedNetworking))",
                  "fieldPath": ".networkInterfaces",
                  "message": "networkInterfaces exclude subnetName and acceleratedNetworking, which say the same in the older way; keep networkInterfaces alone"
                }
              ],
              "properties": {
                "vmSize": {
                  "type": "string",
                  "minLength": 2,
                  "maxLength": 64,
                  "pattern": "^[A-Za-z0-9_-]+$"
                },
                "image": {
                  "type": "object",
                  "x-kubernetes-validations": [
                    {
                      "rule": "(has(self.id) ? 1 : 0) + (has(self.marketplace) ? 1 : 0) + (has(self.computeGallery) ? 1 : 0) == 1",
                      "message": "an image is named by one of id, marketplace and computeGallery; give exactly one of the three"
                    }
                  ],
                  "properties": {
                    "id": {
                      "type": "string",
                      "maxLength": 512,
                      "pattern": "^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft[.]Compute/(images/[^/]+|galleries/[^/]+/images/[^/]+(/versions/[^/]+)?)$"
                    },
                    "marketplace": {
                      "type": "object",
                      "required": [
                        "publisher",
                        "offer",
                        "sku",
                        "version"
                      ],
                      "properties": {
                        "publisher": {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 128
                        },
                        "offer": {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 128
                        },
                        "sku": {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 128
                        },
                        "version": {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 64
                        },
                        "thirdPartyImage": {
                          "type": "boolean"
                        }
                      }
                    },
                    "computeGallery": {
                      "type": "object",
                      "required": [
                        "gallery",
                        "name",
                        "version"
                      ],
                      "x-kubernetes-validations": [
                        {
                          "rule": "has(self.subscriptionID) == has(self.resourceGroup)",
                          "message": "computeGallery has subscriptionID and resourceGroup together, for a gallery that is not a community's; give both or neither"
                        }
                      ],
                      "properties": {
                        "gallery": {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 128,
                          "pattern": "^[A-Za-z0-9._-]+$"
                        },
                        "name": {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 128,
                          "pattern": "^[A-Za-z0-9._-]+$"
                        },
                        "version": {
                          "type": "string",
                          "maxLength": 64,
                          "pattern": "^(latest|[0-9]+[.][0-9]+[.][0-9]+)$"
                        },
                        "subscriptionID": {
                          "type": "string",
                          "maxLength": 36,
                          "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
                        },
                        "resourceGroup": {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 90,
                          "pattern": "^[A-Za-z0-9_().-]*[A-Za-z0-9_()-]$"
                        },
                        "plan": {
                          "type": "object",
                          "required": [
                            "publisher",
                            "product",
                            "name"
                          ],
                          "properties": {
                            "publisher": {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 128
                            },
                            "product": {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 128
                            },
                            "name": {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 128
                            }
                          }
                        }
                      }
                    }
                  }
                },
                "osDisk": {
                  "type": "object",
                  "x-kubernetes-validations": [
                    {
                      "rule": "!has(self.diffDiskSettings) || self.?cachingType.orValue('ReadOnly') == 'ReadOnly'",
                      "fieldPath": ".cachingType",
                      "message": "cachingType must be ReadOnly on an ephemeral disk (diffDiskSettings); set it, or leave it out"
                    },
                    {
                      "rule": "!has(self.diffDiskSettings) || !has(self.managedDisk) || !has(self.managedDisk.storageAccountType) || self.managedDisk.storageAccountType == 'Standard_LRS'",
                      "fieldPath": ".managedDisk.storageAccountType",
                      "message": "storageAccountType of an ephemeral disk (diffDiskSettings) can only be Standard_LRS, it is on the host itself; leave it out"
                    }
                  ],
                  "properties": {
                    "osType": {
                      "type": "string",
                      "enum": [
                        "Linux"
                      ]
                    },
                    "diskSizeGB": {
                      "type": "integer",
                      "format": "int32",
                      "minimum": 1,
                      "maximum": 2048
                    },
                    "managedDisk": {
                      "type": "object",
                      "properties": {
                        "storageAccountType": {
                          "type": "string",
                          "enum": [
                            "Standard_LRS",
                            "StandardSSD_LRS",
                            "Premium_LRS",
                            "StandardSSD_ZRS",
                            "Premium_ZRS"
                          ]
                        },
                        "diskEncryptionSet": {
                          "type": "object",
                          "required": [
                            "id"
                          ],
                          "properties": {
                            "id": {
                              "type": "string",
                              "maxLength": 512,
                              "pattern": "^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft[.]Compute/diskEncryptionSets/[^/]+$"
                            }
                          }
                        }
                      }
                    },
                    "diffDiskSettings": {
                      "type": "object",
                      "required": [
                        "option"
                      ],
                      "properties": {
                        "option": {
                          "type": "string",
                          "enum": [
                            "Local"
                          ]
                        },
                        "placement": {
                          "type": "string",
                          "enum": [
                            "CacheDisk",
                            "NvmeDisk",
                            "ResourceDisk"
                          ]
                        }
                      }
                    },
                    "cachingType": {
                      "type": "string",
                      "enum": [
                        "None",
                        "ReadOnly",
                        "ReadWrite"
                      ]
                    }
                  }
                },
                "dataDisks": {
                  "type": "array",
                  "maxItems": 32,
                  "x-kubernetes-list-type": "map",
                  "x-kubernetes-list-map-keys": [
                    "nameSuffix"
                  ],
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.all(one, !has(one.lun) || self.exists_one(other, has(other.lun) && other.lun == one.lun))",
                      "message": "dataDisks cannot have a lun twice; give each disk another, or none its own"
                    },
                    {
                      "rule": "self.all(one, has(one.lun)) || !self.exists(one, has(one.lun))",
                      "message": "either all dataDisks have a lun or none has, then they are counted; complete it, or leave it out"
                    }
                  ],
                  "items": {
                    "type": "object",
                    "required": [
                      "nameSuffix",
                      "diskSizeGB"
                    ],
                    "properties": {
                      "nameSuffix": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": 16,
                        "pattern": "^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$",
                        "x-kubernetes-validations": [
                          {
                            "rule": "self.lowerAscii() != 'osdisk'",
                            "message": "nameSuffix cannot be OSDisk, the disk that the machine boots from is named so; take another"
                          }
                        ]
                      },
                      "diskSizeGB": {
                        "type": "integer",
                        "format": "int32",
                        "minimum": 4,
                        "maximum": 32767
                      },
                      "managedDisk": {
                        "type": "object",
                        "properties": {
                          "storageAccountType": {
                            "type": "string",
                            "enum": [
                              "Standard_LRS",
                              "StandardSSD_LRS",
                              "Premium_LRS",
                              "StandardSSD_ZRS",
                              "Premium_ZRS"
                            ]
                          },
                          "diskEncryptionSet": {
                            "type": "object",
                            "required": [
                              "id"
                            ],
                            "properties": {
                              "id": {
                                "type": "string",
                                "maxLength": 512,
                                "pattern": "^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft[.]Compute/diskEncryptionSets/[^/]+$"
                              }
                            }
                          }
                        }
                      },
                      "lun": {
                        "type": "integer",
                        "format": "int32",
                        "minimum": 0,
                        "maximum": 63
                      },
                      "cachingType": {
                        "type": "string",
                        "enum": [
                          "None",
                          "ReadOnly",
                          "ReadWrite"
                        ]
                      }
                    }
                  }
                },
                "sshPublicKey": {
                  "type": "string",
                  "maxLength": 8192,
                  "pattern": "^[A-Za-z0-9+/]*={0,2}$"
                },
                "spotVMOptions": {
                  "type": "object",
                  "properties": {
                    "maxPrice": {
                      "type": "string",
                      "maxLength": 16,
                      "x-kubernetes-validations": [
                        {
                          "rule": "self == '-1' || (self.matches('^[0-9]+([.][0-9]{1,5})?$') && double(self) > 0.0)",
                          "message": "maxPrice must be US dollars an hour with at most 5 decimals, above 0 and written like \"0.05\", or \"-1\"; leave it out to pay at most the price of a regular machine"
                        }
                      ]
                    },
                    "evictionPolicy": {
                      "type": "string",
                      "enum": [
                        "Deallocate",
                        "Delete"
                      ]
                    }
                  }
                },
                "capacityReservationGroupID": {
                  "type": "string",
                  "maxLength": 512,
                  "pattern": "^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft[.]Compute/capacityReservationGroups/[^/]+$"
                },
                "identity": {
                  "type": "string",
                  "enum": [
                    "None",
                    "SystemAssigned",
                    "UserAssigned"
                  ]
                },
                "userAssignedIdentities": {
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 10,
                  "x-kubernetes-list-type": "atomic",
                  "items": {
                    "type": "object",
                    "required": [
                      "providerID"
                    ],
                    "properties": {
                      "providerID": {
                        "type": "string",
                        "maxLength": 512,
                        "pattern": "^(azure://)?/subscriptions/[^/]+/resource[gG]roups/[^/]+/providers/Microsoft[.]ManagedIdentity/userAssignedIdentities/[^/]+$"
                      }
                    }
                  }
                },
                "networkInterfaces": {
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 1,
                  "x-kubernetes-list-type": "atomic",
                  "items": {
                    "type": "object",
                    "properties": {
                      "subnetName": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": 80,
                        "pattern": "^[A-Za-z0-9_.-]+$"
                      },
                      "privateIPConfigs": {
                        "type": "integer",
                        "format": "int32",
                        "minimum": 1,
                        "maximum": 256
                      },
                      "acceleratedNetworking": {
                        "type": "boolean"
                      }
                    }
                  }
                },
                "subnetName": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 80,
                  "pattern": "^[A-Za-z0-9_.-]+$"
                },
                "acceleratedNetworking": {
                  "type": "boolean"
                },
                "enableIPForwarding": {
                  "type": "boolean"
                },
                "allocatePublicIP": {
                  "type": "boolean",
                  "x-kubernetes-validations": [
                    {
                      "rule": "!self",
                      "message": "allocatePublicIP can only be false, no public address is made for a machine; give the subnet a NAT gateway, and remove it"
                    }
                  ]
                },
                "dnsServers": {
                  "type": "array",
                  "maxItems": 10,
                  "x-kubernetes-list-type": "atomic",
                  "items": {
                    "type": "string",
                    "maxLength": 45
                  }
                },
                "securityProfile": {
                  "type": "object",
                  "x-kubernetes-validations": [
                    {
                      "rule": "!has(self.uefiSettings) || self.?securityType.orValue('') == 'TrustedLaunch'",
                      "fieldPath": ".uefiSettings",
                      "message": "uefiSettings belong to securityType TrustedLaunch; set it, or remove uefiSettings"
                    }
                  ],
                  "properties": {
                    "encryptionAtHost": {
                      "type": "boolean"
                    },
                    "securityType": {
                      "type": "string",
                      "enum": [
                        "TrustedLaunch"
                      ]
                    },
                    "uefiSettings": {
                      "type": "object",
                      "properties": {
                        "secureBootEnabled": {
                          "type": "boolean"
                        },
                        "vTpmEnabled": {
                          "type": "boolean"
                        }
                      }
                    }
                  }
                },
                "diagnostics": {
                  "type": "object",
                  "properties": {
                    "boot": {
                      "type": "object",
                      "required": [
                        "storageAccountType"
                      ],
                      "properties": {
                        "storageAccountType": {
                          "type": "string",
                          "enum": [
                            "Managed",
                            "Disabled"
                          ]
                        }
                      }
                    }
                  }
                },
                "additionalTags": {
                  "type": "object",
                  "maxProperties": 20,
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.all(key, size(key) >= 1 && size(key) <= 128 && !key.matches('[<>%&\\\\\\\\?/]'))",
                      "message": "every key of additionalTags must have 1 to 128 characters and none of < > % & \\ ? / which Azure refuses; correct it"
                    },
                    {
                      "rule": "self.all(key, self.exists_one(other, other.lowerAscii() == key.lowerAscii()))",
                      "message": "additionalTags cannot have two keys that differ only in the case of their letters, to Azure they are one; keep one of them"
                    },
                    {
                      "rule": "self.all(key, !key.lowerAscii().startsWith('spot.cluster.x-k8s.io_') && !key.lowerAscii().startsWith('kubernetes.io_cluster_') && !key.lowerAscii().startsWith('sigs.k8s.io_cluster-api-provider-azure_') && !key.lowerAscii().matches('^(microsoft|azure|windows)'))",
                      "message": "additionalTags cannot have keys that start with spot.cluster.x-k8s.io_, kubernetes.io_cluster_, sigs.k8s.io_cluster-api-provider-azure_ or microsoft, azure, windows: controllers and Azure itself know things by them; take other keys"
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
