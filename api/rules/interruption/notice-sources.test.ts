import { expect, it } from 'vitest'
import { noticeSourcesVerdict } from './notice-sources.ts'

const nodes = { source: 'Nodes', works: true, message: 'They are watched.' }
const requests = { source: 'EC2 spot requests', works: true, message: 'They are asked for.' }
const denied = { ...requests, works: false, message: 'EC2 refuses the call.' }

it('says that all work, and which', () => {
  expect(noticeSourcesVerdict([requests, nodes], false)).toEqual({
    status: 'True',
    reason: 'AllWork',
    message: 'EC2 spot requests: They are asked for. Nodes: They are watched.',
  })
})

it('names only those that fail', () => {
  expect(noticeSourcesVerdict([nodes, denied], false)).toEqual({
    status: 'False',
    reason: 'SomeFail',
    message: 'EC2 spot requests: EC2 refuses the call.',
  })
})

it('says nothing before the first source is asked, and takes back what it said', () => {
  expect(noticeSourcesVerdict([], false)).toBeUndefined()
  expect(noticeSourcesVerdict([], true)).toMatchObject({ status: 'Unknown', reason: 'NoneAsked' })
})
