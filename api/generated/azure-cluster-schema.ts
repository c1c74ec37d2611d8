/* Made from crds/AzureCluster.yaml by `npm run generate`. Edits here are lost. */
export const AzureClusterSchema: Readonly<Record<string, unknown>> = {
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
        "AzureCluster"
      ]
    },
    "metadata": {
      "type": "object"
    },
    "spec": {
      "type": "object",
      "required": [
        "resourceGroup",
        "location",
        "networkSpec"
      ],
      "x-kubernetes-validations": [
        {
          "rule": "self.location == oldSelf.location",
          "fieldPath": ".location",
          "message": "location cannot change, the cluster's machines are looked for there; make a new Cluster for another location"
        },
        {
          "rule": "self.resourceGroup == oldSelf.resourceGroup",
          "fieldPath": ".resourceGroup",
          "message": "resourceGroup cannot change, the cluster's machines are looked for there; make a new Cluster for another resource group"
        },
        {
          "rule": "has(self.subscriptionID) == has(oldSelf.subscriptionID) && (!has(self.subscriptionID) || self.subscriptionID == oldSelf.subscriptionID)",
          "fieldPath": ".subscriptionID",
          "message": "subscriptionID cannot change, the cluster's machines are looked for there; make a new Cluster for another subscription"
        }
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
    },
    "status": {
      "type": "object",
      "properties": {
        "initialization": {
          "type": "object",
          "minProperties": 1,
          "properties": {
            "provisioned": {
              "type": "boolean"
            }
          }
        },
        "failureDomains": {
          "type": "array",
          "maxItems": 100,
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
                "maxLength": 256
              },
              "controlPlane": {
                "type": "boolean"
              },
              "attributes": {
                "type": "object",
                "maxProperties": 16,
                "additionalProperties": {
                  "type": "string",
                  "maxLength": 256
                }
              }
            }
          }
        },
        "conditions": {
          "type": "array",
          "maxItems": 32,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": [
            "type"
          ],
          "items": {
            "type": "object",
            "required": [
              "lastTransitionTime",
              "message",
              "reason",
              "status",
              "type"
            ],
            "properties": {
              "type": {
                "type": "string",
                "maxLength": 316,
                "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
              },
              "status": {
                "type": "string",
                "enum": [
                  "True",
                  "False",
                  "Unknown"
                ]
              },
              "reason": {
                "type": "string",
                "minLength": 1,
                "maxLength": 1024,
                "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"
              },
              "message": {
                "type": "string",
                "maxLength": 32768
              },
              "lastTransitionTime": {
                "type": "string",
                "format": "date-time"
              },
              "observedGeneration": {
                "type": "integer",
                "format": "int64",
                "minimum": 0
              }
            }
          }
        }
      }
    }
  }
}
