/* Made from crds/IBMMachine.yaml by `npm run generate`. Edits here are lost. */
export const IBMMachineSchema: Readonly<Record<string, unknown>> = {
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
        "IBMMachine"
      ]
    },
    "metadata": {
      "type": "object"
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
        },
        {
          "rule": "self.profile == oldSelf.profile",
          "fieldPath": ".profile",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "self.image == oldSelf.image",
          "fieldPath": ".image",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "has(self.availability) == has(oldSelf.availability) && (!has(self.availability) || self.availability == oldSelf.availability)",
          "fieldPath": ".availability",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "has(self.availabilityPolicy) == has(oldSelf.availabilityPolicy) && (!has(self.availabilityPolicy) || self.availabilityPolicy == oldSelf.availabilityPolicy)",
          "fieldPath": ".availabilityPolicy",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "has(self.reservationAffinity) == has(oldSelf.reservationAffinity) && (!has(self.reservationAffinity) || self.reservationAffinity == oldSelf.reservationAffinity)",
          "fieldPath": ".reservationAffinity",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "has(self.primaryNetworkInterface) == has(oldSelf.primaryNetworkInterface) && (!has(self.primaryNetworkInterface) || self.primaryNetworkInterface == oldSelf.primaryNetworkInterface)",
          "fieldPath": ".primaryNetworkInterface",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "has(self.sshKeys) == has(oldSelf.sshKeys) && (!has(self.sshKeys) || self.sshKeys == oldSelf.sshKeys)",
          "fieldPath": ".sshKeys",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "has(self.bootVolume) == has(oldSelf.bootVolume) && (!has(self.bootVolume) || self.bootVolume == oldSelf.bootVolume)",
          "fieldPath": ".bootVolume",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "has(self.placementTarget) == has(oldSelf.placementTarget) && (!has(self.placementTarget) || self.placementTarget == oldSelf.placementTarget)",
          "fieldPath": ".placementTarget",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "has(self.metadataService) == has(oldSelf.metadataService) && (!has(self.metadataService) || self.metadataService == oldSelf.metadataService)",
          "fieldPath": ".metadataService",
          "message": "a machine is what it was launched as, this field cannot change; make a new IBMMachineTemplate with the new value and name it in the MachineDeployment, which then replaces its machines"
        },
        {
          "rule": "!has(oldSelf.providerID) || (has(self.providerID) && self.providerID == oldSelf.providerID)",
          "fieldPath": ".providerID",
          "message": "providerID says which instance this machine is; once set it can neither change nor be removed. To be rid of the instance delete the Machine"
        }
      ],
      "properties": {
        "providerID": {
          "type": "string",
          "minLength": 1,
          "maxLength": 512,
          "pattern": "^ibm://[^/]+///[^/]+/[^/]+$"
        },
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
        "interruptible": {
          "type": "boolean"
        },
        "capacityType": {
          "type": "string",
          "enum": [
            "Spot",
            "OnDemand",
            "Reserved"
          ]
        },
        "instanceID": {
          "type": "string",
          "maxLength": 64
        },
        "instanceState": {
          "type": "string",
          "enum": [
            "pending",
            "running",
            "stopping",
            "stopped",
            "terminating",
            "terminated"
          ]
        },
        "failureDomain": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        },
        "addresses": {
          "type": "array",
          "maxItems": 256,
          "x-kubernetes-list-type": "atomic",
          "items": {
            "type": "object",
            "required": [
              "address",
              "type"
            ],
            "properties": {
              "type": {
                "type": "string",
                "enum": [
                  "Hostname",
                  "ExternalIP",
                  "InternalIP",
                  "ExternalDNS",
                  "InternalDNS"
                ]
              },
              "address": {
                "type": "string",
                "minLength": 1,
                "maxLength": 256
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
