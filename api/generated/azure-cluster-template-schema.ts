/* Made from crds/AzureClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
export const AzureClusterTemplateSchema: Readonly<Record<string, unknown>> = {
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
        "AzureClusterTemplate"
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
                "resourceGroup",
                "location",
                "networkSpec"
              ],
              "properties": {
                "subscriptionID": {
                  "type": "string",
                  "maxLength": 36,
                  "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
                },
                "resourceGroup": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 90,
                  "pattern": "^[A-Za-z0-9_().-]*[A-Za-z0-9_()-]$"
                },
                "location": {
                  "type": "string",
                  "maxLength": 32,
                  "pattern": "^[a-z][a-z0-9]+$"
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
                "networkSpec": {
                  "type": "object",
                  "required": [
                    "vnet"
                  ],
                  "properties": {
                    "vnet": {
                      "type": "object",
                      "required": [
                        "name"
                      ],
                      "properties": {
                        "name": {
                          "type": "string",
                          "minLength": 2,
                          "maxLength": 64,
                          "pattern": "^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9_])$"
                        },
                        "resourceGroup": {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 90,
                          "pattern": "^[A-Za-z0-9_().-]*[A-Za-z0-9_()-]$"
                        }
                      }
                    },
                    "subnets": {
                      "type": "array",
                      "maxItems": 64,
                      "x-kubernetes-list-type": "map",
                      "x-kubernetes-list-map-keys": [
                        "name"
                      ],
                      "items": {
                        "type": "object",
                        "required": [
                          "name"
                        ],
                        "properties": {
                          "name": {
                            "type": "string",
                            "minLength": 1,
                            "maxLength": 80,
                            "pattern": "^[A-Za-z0-9_.-]+$"
                          },
                          "role": {
                            "type": "string",
                            "enum": [
                              "node",
                              "control-plane",
                              "bastion",
                              "cluster",
                              "all"
                            ]
                          }
                        }
                      }
                    }
                  }
                },
                "failureDomains": {
                  "type": "object",
                  "maxProperties": 8,
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.all(zone, zone.matches('^[1-9]$'))",
                      "message": "failureDomains are named as Azure names its zones, \"1\" to \"9\", without the location; correct the name"
                    }
                  ],
                  "additionalProperties": {
                    "type": "object",
                    "properties": {
                      "controlPlane": {
                        "type": "boolean",
                        "description": "Whether control plane machines may go there. Ours never do."
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
      "type": "object"
    }
  }
}
