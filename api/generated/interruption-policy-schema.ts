/* Made from crds/InterruptionPolicy.yaml by `npm run generate`. Edits here are lost. */
export const InterruptionPolicySchema: Readonly<Record<string, unknown>> = {
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
        "InterruptionPolicy"
      ]
    },
    "metadata": {
      "type": "object"
    },
    "spec": {
      "type": "object",
      "required": [
        "clusterName"
      ],
      "x-kubernetes-validations": [
        {
          "rule": "self.clusterName == oldSelf.clusterName",
          "fieldPath": ".clusterName",
          "message": "clusterName cannot change; make another policy for the other Cluster, and delete this one"
        },
        {
          "rule": "!has(self.maxAhead) || self.replacement == 'Ahead'",
          "fieldPath": ".maxAhead",
          "message": "maxAhead bounds the replacements that are made ahead; leave it out, or set replacement to Ahead"
        }
      ],
      "properties": {
        "clusterName": {
          "type": "string",
          "minLength": 1,
          "maxLength": 63
        },
        "selector": {
          "type": "object",
          "default": {},
          "properties": {
            "matchLabels": {
              "type": "object",
              "maxProperties": 32,
              "additionalProperties": {
                "type": "string",
                "maxLength": 63
              }
            },
            "matchExpressions": {
              "type": "array",
              "maxItems": 32,
              "x-kubernetes-list-type": "atomic",
              "items": {
                "type": "object",
                "required": [
                  "key",
                  "operator"
                ],
                "x-kubernetes-validations": [
                  {
                    "rule": "(self.operator in ['In', 'NotIn']) == (has(self.values) && size(self.values) > 0)",
                    "fieldPath": ".values",
                    "message": "values are needed with In and NotIn, and cannot be given with Exists and DoesNotExist"
                  }
                ],
                "properties": {
                  "key": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 317
                  },
                  "operator": {
                    "type": "string",
                    "enum": [
                      "In",
                      "NotIn",
                      "Exists",
                      "DoesNotExist"
                    ]
                  },
                  "values": {
                    "type": "array",
                    "maxItems": 64,
                    "x-kubernetes-list-type": "atomic",
                    "items": {
                      "type": "string",
                      "maxLength": 63
                    }
                  }
                }
              }
            }
          }
        },
        "onNotice": {
          "type": "string",
          "enum": [
            "DeleteMachine",
            "Remediate",
            "ConditionOnly"
          ],
          "default": "DeleteMachine"
        },
        "onRebalance": {
          "type": "string",
          "enum": [
            "DeleteMachine",
            "Remediate",
            "ConditionOnly"
          ],
          "default": "ConditionOnly"
        },
        "replacement": {
          "type": "string",
          "enum": [
            "Ahead",
            "Afterwards"
          ],
          "default": "Ahead"
        },
        "maxAhead": {
          "type": "integer",
          "format": "int32",
          "minimum": 1,
          "maximum": 1000
        },
        "backoff": {
          "type": "object",
          "default": {
            "initialSeconds": 30,
            "maxSeconds": 1800
          },
          "x-kubernetes-validations": [
            {
              "rule": "self.initialSeconds <= self.maxSeconds",
              "fieldPath": ".maxSeconds",
              "message": "maxSeconds cannot be less than initialSeconds; raise the one or lower the other"
            }
          ],
          "properties": {
            "initialSeconds": {
              "type": "integer",
              "format": "int32",
              "minimum": 1,
              "maximum": 86400,
              "default": 30
            },
            "maxSeconds": {
              "type": "integer",
              "format": "int32",
              "minimum": 1,
              "maximum": 86400,
              "default": 1800
            }
          }
        },
        "minHealthySeconds": {
          "type": "integer",
          "format": "int32",
          "minimum": 0,
          "maximum": 86400,
          "default": 600
        },
        "nodeStartupSeconds": {
          "type": "integer",
          "format": "int32",
          "minimum": 0,
          "maximum": 86400,
          "default": 600
        },
        "healthCheck": {
          "type": "string",
          "enum": [
            "Managed",
            "None"
          ],
          "default": "Managed"
        }
      }
    },
    "status": {
      "type": "object",
      "properties": {
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
