/* Made from crds/IBMMachineTemplate.yaml by `npm run generate`. Edits here are lost. */
export const IBMMachineTemplateSchema: Readonly<Record<string, unknown>> = {
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
        "IBMMachineTemplate"
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
                "profile",
                "image"
              ],
              "x-kubernetes-validations": [
                {
                  "rule": "self.?availability.?class.orValue('standard') != 'spot' || self.?reservationAffinity.?policy.orValue('disabled') == 'disabled'",
                  "fieldPath": ".reservationAffinity",
                  "message": "reservationAffinity excludes spot, IBM runs no spot instance in a reservation; remove it, or set its policy to disabled, or take availability.class standard"
                },
                {
                  "rule": "self.?availability.?class.orValue('standard') != 'spot' || !(has(self.placementTarget) && (has(self.placementTarget.dedicatedHost) || has(self.placementTarget.dedicatedHostGroup)))",
                  "fieldPath": ".placementTarget",
                  "message": "placementTarget on a dedicated host or dedicated host group excludes spot, IBM runs no spot instance there; take a placementGroup, or availability.class standard"
                },
                {
                  "rule": "!has(self.placementTarget) || self.?reservationAffinity.?policy.orValue('disabled') == 'disabled'",
                  "fieldPath": ".reservationAffinity",
                  "message": "reservationAffinity excludes a placementTarget, IBM places an instance by one of the two; remove one of them"
                }
              ],
              "properties": {
                "profile": {
                  "type": "string",
                  "minLength": 2,
                  "maxLength": 63,
                  "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
                },
                "image": {
                  "type": "object",
                  "x-kubernetes-validations": [
                    {
                      "rule": "has(self.id) != has(self.name)",
                      "message": "the image is named by either its id or its name; give one of the two and not both"
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
                },
                "availability": {
                  "type": "object",
                  "minProperties": 1,
                  "properties": {
                    "class": {
                      "type": "string",
                      "enum": [
                        "spot",
                        "standard"
                      ]
                    }
                  }
                },
                "availabilityPolicy": {
                  "type": "object",
                  "minProperties": 1,
                  "properties": {
                    "preemption": {
                      "type": "string",
                      "enum": [
                        "stop",
                        "delete"
                      ]
                    },
                    "hostFailure": {
                      "type": "string",
                      "enum": [
                        "restart",
                        "stop"
                      ]
                    }
                  }
                },
                "reservationAffinity": {
                  "type": "object",
                  "required": [
                    "policy"
                  ],
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.policy != 'manual' || (has(self.pool) && size(self.pool) == 1)",
                      "fieldPath": ".pool",
                      "message": "reservationAffinity.pool must name exactly one reservation with policy manual; name it by its id"
                    },
                    {
                      "rule": "self.policy == 'manual' || !has(self.pool) || size(self.pool) == 0",
                      "fieldPath": ".pool",
                      "message": "reservationAffinity.pool belongs to policy manual, otherwise IBM chooses the reservation; remove it, or take policy manual"
                    }
                  ],
                  "properties": {
                    "policy": {
                      "type": "string",
                      "enum": [
                        "disabled",
                        "manual",
                        "automatic"
                      ]
                    },
                    "pool": {
                      "type": "array",
                      "maxItems": 1,
                      "x-kubernetes-list-type": "atomic",
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
                          }
                        }
                      }
                    }
                  }
                },
                "primaryNetworkInterface": {
                  "type": "object",
                  "minProperties": 1,
                  "properties": {
                    "subnet": {
                      "type": "string",
                      "maxLength": 64,
                      "pattern": "^[-0-9a-z_]+$"
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
                },
                "sshKeys": {
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 10,
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
                },
                "bootVolume": {
                  "type": "object",
                  "minProperties": 1,
                  "x-kubernetes-validations": [
                    {
                      "rule": "self.?profile.orValue('general-purpose') != 'custom' || (has(self.iops) && has(self.sizeGiB))",
                      "message": "bootVolume with profile custom needs iops and sizeGiB; set both, or take another profile"
                    },
                    {
                      "rule": "!has(self.iops) || self.?profile.orValue('general-purpose') == 'custom'",
                      "fieldPath": ".iops",
                      "message": "bootVolume.iops belongs to profile custom, the other profiles have their own; set the profile, or remove iops"
                    }
                  ],
                  "properties": {
                    "sizeGiB": {
                      "type": "integer",
                      "format": "int64",
                      "minimum": 10,
                      "maximum": 250
                    },
                    "profile": {
                      "type": "string",
                      "enum": [
                        "general-purpose",
                        "5iops-tier",
                        "10iops-tier",
                        "custom"
                      ]
                    },
                    "iops": {
                      "type": "integer",
                      "format": "int64",
                      "minimum": 100,
                      "maximum": 48000
                    },
                    "encryptionKeyCRN": {
                      "type": "string",
                      "maxLength": 512,
                      "pattern": "^crn:.+$"
                    },
                    "deleteVolumeOnInstanceDelete": {
                      "type": "boolean",
                      "x-kubernetes-validations": [
                        {
                          "rule": "self",
                          "message": "bootVolume.deleteVolumeOnInstanceDelete can only be true: nothing of a machine is left behind; set it to true, or remove it"
                        }
                      ]
                    }
                  }
                },
                "placementTarget": {
                  "type": "object",
                  "x-kubernetes-validations": [
                    {
                      "rule": "[has(self.dedicatedHost), has(self.dedicatedHostGroup), has(self.placementGroup)].filter(one, one).size() == 1",
                      "message": "placementTarget is one of dedicatedHost, dedicatedHostGroup and placementGroup; give exactly one of the three"
                    }
                  ],
                  "properties": {
                    "dedicatedHost": {
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
                    "dedicatedHostGroup": {
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
                    "placementGroup": {
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
                    }
                  }
                },
                "metadataService": {
                  "type": "object",
                  "minProperties": 1,
                  "properties": {
                    "enabled": {
                      "type": "boolean"
                    },
                    "protocol": {
                      "type": "string",
                      "enum": [
                        "http",
                        "https"
                      ]
                    },
                    "responseHopLimit": {
                      "type": "integer",
                      "format": "int32",
                      "minimum": 1,
                      "maximum": 64
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
                "amd64"
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
