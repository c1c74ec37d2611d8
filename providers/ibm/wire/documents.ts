/** Documents of IBM Cloud VPC, as far as we read them. Its vocabularies grow, so no text is of a closed set. */

export interface VpcReason {
  readonly code: string
  readonly message?: string
}

export interface VpcInstance {
  readonly id: string
  readonly name: string
  readonly crn: string
  readonly status: string
  readonly created_at?: string
  readonly status_reasons?: readonly VpcReason[]
  readonly lifecycle_reasons?: readonly VpcReason[]
  readonly availability?: { readonly class?: string }
  readonly profile: { readonly name: string }
  readonly zone: { readonly name: string }
  readonly vpc?: { readonly id: string }
  readonly resource_group?: { readonly id: string }
  readonly primary_network_interface?: { readonly name?: string; readonly primary_ip?: { readonly address?: string } }
  readonly reservation?: { readonly id: string }
}

/** A number of a profile: a fixed one, or a range with a default. */
export interface VpcNumber {
  readonly type: string
  readonly value?: number
  readonly default?: number
  readonly min?: number
}

export interface VpcProfile {
  readonly name: string
  readonly availability_class?: {
    readonly type: string
    readonly default?: string
    readonly values?: readonly string[]
    readonly value?: string
  }
  readonly vcpu_count: VpcNumber
  readonly vcpu_percentage?: VpcNumber
  readonly memory: VpcNumber
  readonly gpu_count?: VpcNumber
  readonly gpu_manufacturer?: { readonly values?: readonly string[] }
  readonly vcpu_architecture: { readonly value?: string }
  readonly zones?: readonly { readonly name: string }[]
}

export interface VpcImage {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly visibility?: string
  readonly created_at?: string
  readonly operating_system?: { readonly architecture?: string; readonly family?: string; readonly name?: string }
  readonly zones?: readonly { readonly name: string }[]
}

export interface VpcSubnet {
  readonly id: string
  readonly zone: { readonly name: string }
  readonly vpc: { readonly id: string }
}

/** A thing that specs name: a key, a security group. */
export interface VpcNamed {
  readonly id: string
  readonly name: string
}

/** The body of create_instance. */
export interface VpcInstancePrototype {
  readonly name: string
  readonly zone: { readonly name: string }
  readonly profile: { readonly name: string }
  readonly image: { readonly id: string }
  readonly vpc?: { readonly id: string }
  readonly resource_group?: { readonly id: string }
  readonly primary_network_interface: {
    readonly name: string
    readonly subnet: { readonly id: string }
    readonly security_groups?: readonly { readonly id: string }[]
  }
  readonly keys?: readonly { readonly id: string }[]
  readonly user_data: string
  readonly availability: { readonly class: string }
  readonly availability_policy?: { readonly preemption?: string; readonly host_failure?: string }
  readonly reservation_affinity?: { readonly policy: string; readonly pool?: readonly { readonly id: string }[] }
  readonly boot_volume_attachment: {
    readonly delete_volume_on_instance_delete: true
    readonly volume: {
      readonly profile: { readonly name: string }
      readonly capacity?: number
      readonly iops?: number
      readonly encryption_key?: { readonly crn: string }
    }
  }
  readonly placement_target?: { readonly id: string }
  readonly metadata_service?: {
    readonly enabled?: boolean
    readonly protocol?: string
    readonly response_hop_limit?: number
  }
}
