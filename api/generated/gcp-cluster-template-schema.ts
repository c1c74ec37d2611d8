/* Made from crds/GCPClusterTemplate.yaml by `npm run generate`. Edits here are lost. */
export const GCPClusterTemplateSchema: Readonly<Record<string, unknown>> = {
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
        "GCPClusterTemplate"
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
                "project",
                "region"
              ],
              "x-kubernetes-validations": [
                {
                  "rule": "!has(self.failureDomains) || self.failureDomains.all(zone, zone.startsWith(self.region + \"-\"))",
                  "fieldPath": ".failureDomains",
                  "message": "every zone of failureDomains has to be in the region; correct the zone, or the region"
                }
              ],
              "properties": {
                "project": {
                  "type": "string",
                  "maxLength": 63,
                  "pattern": "^([a-z0-9.-]+:)?[a-z][a-z0-9-]*[a-z0-9]$"
                },
                "region": {
                  "type": "string",
                  "maxLength": 32,
                  "pattern": "^[a-z]+-[a-z]+[0-9]+$"
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
                    "name": {
                      "type": "string",
                      "maxLength": 63,
                      "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"
                    },
                    "hostProject": {
                      "type": "string",
                      "maxLength": 63,
                      "pattern": "^([a-z0-9.-]+:)?[a-z][a-z0-9-]*[a-z0-9]$"
                    },
                    "subnets": {
                      "type": "array",
                      "maxItems": 64,
                      "x-kubernetes-list-type": "atomic",
                      "items": {
                        "type": "object",
                        "required": [
                          "name"
                        ],
                        "properties": {
                          "name": {
                            "type": "string",
                            "maxLength": 63,
                            "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"
                          },
                          "region": {
                            "type": "string",
                            "maxLength": 32,
                            "pattern": "^[a-z]+-[a-z]+[0-9]+$"
                          }
                        }
                      }
                    }
                  }
                },
                "failureDomains": {
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 16,
                  "x-kubernetes-list-type": "set",
                  "items": {
                    "type": "string",
                    "maxLength": 63
                  }
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
