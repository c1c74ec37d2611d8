/* Made from crds/ExternalControlPlane.yaml by `npm run generate`. Edits here are lost. */
export const ExternalControlPlaneSchema: Readonly<Record<string, unknown>> = {
  "type": "object",
  "required": [
    "apiVersion",
    "kind",
    "metadata"
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
        "ExternalControlPlane"
      ]
    },
    "metadata": {
      "type": "object"
    },
    "spec": {
      "type": "object",
      "properties": {
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
            "controlPlaneInitialized": {
              "type": "boolean"
            }
          }
        },
        "externalManagedControlPlane": {
          "type": "boolean"
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
