import type { Case } from './crd-cases.ts'

export const labelCases: Case[] = [
  { because: 'a label of 63 and 63 characters fits', spec: { additionalLabels: { ['k'.repeat(63)]: 'v'.repeat(63) } } },
  { because: 'a label without a value', spec: { additionalLabels: { spot: '' } } },
  ...['', 'Team', '1st', 'a.b', 'a/b', '_a', 'k'.repeat(64)].map((key) => ({
    because: `"${key.slice(0, 5)}" is no key of a label`,
    spec: { additionalLabels: { [key]: 'v' } },
    says: 'spec.additionalLabels: Invalid value: every key of additionalLabels must begin with a lowercase letter and have at most 63 lowercase letters',
  })),
  ...['A', 'a b', 'a.b', 'ä'].map((value) => ({
    because: `"${value}" is no value of a label`,
    spec: { additionalLabels: { team: value } },
    says: 'spec.additionalLabels: Invalid value: values of additionalLabels can only have lowercase letters',
  })),
  {
    because: 'a value is too long',
    spec: { additionalLabels: { team: 'v'.repeat(64) } },
    says: 'spec.additionalLabels.team: Too long',
  },
  ...['capspot-owner-id', 'capg-cluster-c1', 'goog-managed'].map((key) => ({
    because: `${key} is a controller's`,
    spec: { additionalLabels: { [key]: 'v' } },
    says: 'additionalLabels cannot have keys that start with capspot-, capg- or goog-',
  })),
  {
    because: 'there are 26 labels',
    spec: { additionalLabels: Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`k${n}`, ''])) },
    says: 'spec.additionalLabels: Too many: 26: must have at most 25 items',
  },
]
