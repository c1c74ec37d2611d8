/* Made from crds/IBMClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
export const IBMClusterTemplateSchema: Readonly<Record<string, unknown>> = {
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
        "IBMClusterTemplate"
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
