import { expect, test } from 'vitest'
import { BadFlag, readFlags } from './flags.ts'

test.each([
  { args: [], flags: { once: false, help: false } },
  { args: ['--once'], flags: { once: true, help: false } },
  { args: ['--help'], flags: { once: false, help: true } },
])('$args', ({ args, flags }) => {
  expect(readFlags(args)).toEqual(flags)
})

test.each([
  { args: ['--twice'], sentence: "Unknown option '--twice'; npm run demo -- --help lists the flags." },
  {
    args: ['--once=maybe'],
    sentence: "Option '--once' does not take an argument; npm run demo -- --help lists the flags.",
  },
  { args: ['now'], sentence: /^Unexpected argument 'now'.*; npm run demo -- --help lists the flags\.$/ },
])('$args cannot be followed', ({ args, sentence }) => {
  expect(() => readFlags(args)).toThrow(BadFlag)
  expect(() => readFlags(args)).toThrow(sentence)
})
