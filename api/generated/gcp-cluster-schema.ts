/* Made from crds/GCPCluster.yaml by `npm run generate`. Edits here are lost. */
export const GCPClusterSchema: Readonly<Record<string, unknown>> = {
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
        "GCPCluster"
      ]
    },
    "metadata": {
      "type": "object"
    },
    "spec": {
      "type": "object",
      "required": [
        "project",
        "region"
      ],
      "x-kubernetes-validations": [
        {
          "rule": "self.region == oldSelf.region",
          "fieldPath": ".region",
          "message": "region cannot change, the cluster's instances are looked for there; make a new Cluster for another region"
        },
        {
          "rule": "self.project == oldSelf.project",
          "fieldPath": ".project",
          "message": "project cannot change, the cluster's instances are looked for there; make a new Cluster for another project"
        },
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
