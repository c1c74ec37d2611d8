import { expect, it } from 'vitest'
import { regionIn } from './sqs.ts'

it.each([
  ['https://sqs.us-east-1.amazonaws.com/1/q', 'us-east-1'],
  ['https://sqs-fips.us-gov-west-1.amazonaws.com/1/q', 'us-gov-west-1'],
  ['https://vpce-1.sqs.eu-west-1.vpce.amazonaws.com/1/q', 'eu-west-1'],
  ['https://sqs.cn-north-1.amazonaws.com.cn/1/q', 'cn-north-1'],
  ['http://127.0.0.1:9324/1/q', undefined],
  ['no URL', undefined],
])('the region of %s is %s', (url, region) => expect(regionIn(url)).toBe(region))
