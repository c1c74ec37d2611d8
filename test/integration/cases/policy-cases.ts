import type { Case } from './crd-cases.ts'

const expression = (over: object) => ({ selector: { matchExpressions: [{ key: 'pool', operator: 'In', ...over }] } })

export const policyCases: Case[] = [
  { because: 'a Cluster is all that is needed', spec: {} },
  {
    because: 'without a Cluster it is about nobody',
    spec: { clusterName: undefined },
    says: 'spec.clusterName: Required value',
  },
  { because: 'one pause for all', spec: { backoff: { initialSeconds: 60, maxSeconds: 60 } } },
  {
    because: 'the first pause is longer than the longest',
    spec: { backoff: { initialSeconds: 3600 } },
    says: 'spec.backoff.maxSeconds: Invalid value: maxSeconds cannot be less than initialSeconds',
  },
  {
    because: 'a pause of no time is none',
    spec: { backoff: { initialSeconds: 0 } },
    says: 'spec.backoff.initialSeconds',
  },
  { because: 'some Machines', spec: expression({ values: ['spot'] }) },
  {
    because: 'In needs values',
    spec: expression({}),
    says: 'spec.selector.matchExpressions[0].values: Invalid value: values are needed with In and NotIn',
  },
  {
    because: 'Exists has none',
    spec: expression({ operator: 'Exists', values: ['spot'] }),
    says: 'spec.selector.matchExpressions[0].values: Invalid value: values are needed with In and NotIn',
  },
  { because: 'a word that means nothing', spec: { healthCheck: 'Panic' }, says: 'spec.healthCheck: Unsupported value' },
]
