import { expect, it } from 'vitest'
import { wrongGrant } from './granted-limits.ts'
import { clouds, supportedClouds } from '../registry.ts'

const grant = (cloud: string, bucket: string, burst = 10) =>
  wrongGrant({ [cloud]: { [bucket]: { burst, perSecond: 1 } } }, clouds)

it('takes every bucket of every cloud', () => {
  for (const [cloud, entry] of Object.entries(clouds)) {
    const { buckets } = entry.counting
    expect(Object.keys(buckets).length).toBeGreaterThan(0)
    for (const bucket of Object.keys(buckets)) expect(grant(cloud, bucket)).toBeUndefined()
  }
  expect(wrongGrant({}, clouds)).toBeUndefined()
})

it.each([
  ['amazon', 'RunInstances', 10, `there is no cloud "amazon"; use ${supportedClouds.join(', ')}.`],
  ['gcp', 'writes', 10, 'gcp has no bucket "writes"; use queries, reads, lists.'],
  ['gcp', 'constructor', 10, 'gcp has no bucket "constructor"; use queries, reads, lists.'],
  ['azure', 'writes', 1, 'azure:writes has a burst of 1, but one launch takes 2 of it; grant 2 or more.'],
])('says what is wrong with %s:%s=%d/1', (cloud, bucket, burst, sentence) => {
  expect(grant(cloud, bucket, burst)).toBe(sentence)
})

it('takes the least that lets a launch go', () => {
  expect(grant('azure', 'writes', 2)).toBeUndefined()
  expect(grant('azure', 'reads', 1)).toBeUndefined()
})

it('names buckets so that --granted-limits can be written, which takes letters and spaces', () => {
  const names = Object.values(clouds).flatMap(({ counting }) => Object.keys(counting.buckets))
  expect(names.filter((name) => !/^[A-Za-z ]+$/.test(name))).toEqual([])
})
