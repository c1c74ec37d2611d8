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
  { because: 'those that are recommended are replaced', spec: { onRebalance: 'Replace', minHealthySeconds: 60 } },
  {
    because: 'what is recommended at once would be replaced for ever',
    spec: { onRebalance: 'Replace', minHealthySeconds: 59 },
    says: 'spec.minHealthySeconds: Invalid value: onRebalance Replace needs at least 60 seconds',
  },
  { because: 'a life has an end', spec: { maxLifetimeSeconds: 86_400 } },
  {
    because: 'none is replaced before it counts as healthy',
    spec: { maxLifetimeSeconds: 600 },
    says: 'spec.maxLifetimeSeconds: Invalid value: maxLifetimeSeconds must be more than minHealthySeconds',
  },
  {
    because: 'a life of less than a minute is none',
    spec: { maxLifetimeSeconds: 59, minHealthySeconds: 0 },
    says: 'spec.maxLifetimeSeconds: Invalid value: 59',
  },
  { because: 'one replacement at a time', spec: { maxAhead: 1 } },
  { because: 'replacement Afterwards says that none is ahead', spec: { maxAhead: 0 }, says: 'spec.maxAhead' },
]
