/* Made from crds/IBMCluster.yaml by `npm run generate`. Edits here are lost. */
export const IBMClusterSchema: Readonly<Record<string, unknown>> = {
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
        "IBMCluster"
      ]
    },
    "metadata": {
      "type": "object"
    },
    "spec": {
      "type": "object",
      "required": [
        "region"
      ],
      "x-kubernetes-validations": [
        {
          "rule": "self.region == oldSelf.region",
          "fieldPath": ".region",
          "message": "region cannot change, the cluster's instances are looked for there; make a new Cluster for another region"
        }
      ],
      "properties": {
        "region": {
          "type": "string",
          "maxLength": 32,
          "pattern": "^[a-z]+(-[a-z]+)+$"
        },
        "resourceGroup": {
          "type": "string",
          "maxLength": 64,
          "pattern": "^[0-9a-f]{32}$"
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
                  "pattern": "^[-0-9a-z_]+$"
                }
              }
            },
            "workerSubnets": {
              "type": "array",
              "maxItems": 64,
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
                    "pattern": "^[-0-9a-z_]+$"
                  },
                  "zone": {
                    "type": "string",
                    "maxLength": 64,
                    "pattern": "^[a-z]+(-[a-z]+)+-[0-9]+$"
                  }
                }
              }
            },
            "securityGroups": {
              "type": "array",
              "minItems": 1,
              "maxItems": 5,
              "x-kubernetes-list-type": "atomic",
              "items": {
                "type": "object",
                "x-kubernetes-validations": [
                  {
                    "rule": "has(self.id) != has(self.name)",
                    "message": "each of them is named by either its id or its name; give one of the two and not both"
                  }
                ],
                "properties": {
                  "id": {
                    "type": "string",
                    "maxLength": 64,
                    "pattern": "^[-0-9a-z_]+$"
                  },
                  "name": {
                    "type": "string",
                    "maxLength": 63,
                    "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"
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
