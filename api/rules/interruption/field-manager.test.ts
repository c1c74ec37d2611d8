import { expect, it } from 'vitest'
import { isByCore } from './field-manager.ts'

const key = 'example.com/key'
const managed = (manager: string, of = key) => ({
  manager,
  operation: 'Apply',
  fieldsV1: { 'f:metadata': { 'f:annotations': { '.': {}, [`f:${of}`]: {} } } },
})

it.each<[string, unknown[], boolean]>([
  ['a MachineSet', [managed('kubectl-annotate', 'other'), managed('capi-machineset')], true],
  ['a control plane', [managed('capi-kubeadmcontrolplane')], true],
  ['a person', [managed('kubectl-annotate'), managed('capi-machineset', 'other')], false],
  ['somebody with such a name', [managed('my-capi-machineset')], false],
  ['nobody that the API server tells of', [], false],
  ['nobody, in fields of another kind', [null, {}, { manager: 'capi-machineset', fieldsV1: { 'f:spec': {} } }], false],
])('an annotation that was written by %s', (_, managedFields, expected) => {
  expect(isByCore({ managedFields }, key)).toBe(expected)
})

it('without managed fields nothing is of core', () => expect(isByCore({}, key)).toBe(false))
