import { expect, it } from 'vitest'
import { inSentence, sentence } from './sentence.ts'

it.each([
  ['You may not', 'C: You may not'],
  ['You may not.', 'C: You may not'],
  ['You may not. Ask somebody.', 'C: You may not. Ask somebody'],
  ['Really?', 'C: Really?'],
  ['And so on...', 'C: And so on...'],
  ['', 'C: '],
])('within a sentence of ours %j loses its full stop', (message, said) => {
  expect(inSentence({ code: 'C', message })).toBe(said)
})

it.each([
  ['You may not', 'You may not.'],
  ['You may not.', 'You may not.'],
  ['Really?', 'Really?'],
  ['Cut off…', 'Cut off…'],
])('among our sentences %j ends as one', (text, said) => {
  expect(sentence(text)).toBe(said)
})
