import { expect, it } from 'vitest'
import { readOptions } from './options.ts'
import { namespaceAccountsIn, parseNamespaceAccounts } from './namespace-accounts.ts'

const project = `# who may use what
team-a: [aws/111122223333, azure/01234567-89ab-cdef-0123-456789abcdef]
team-b:
  - gcp/my-project
  - ibm/0123456789abcdef0123456789abcdef
closed: []
'*': [aws/*]
`

it('reads which accounts a namespace may use', () => {
  expect([...parseNamespaceAccounts(project)]).toEqual([
    ['team-a', ['aws/111122223333', 'azure/01234567-89ab-cdef-0123-456789abcdef']],
    ['team-b', ['gcp/my-project', 'ibm/0123456789abcdef0123456789abcdef']],
    ['closed', []],
    ['*', ['aws/*']],
  ])
})

it('binds every namespace to nothing where none is named, and does not take an empty file for one', () => {
  expect([...parseNamespaceAccounts('{}')]).toEqual([])
  expect(() => parseNamespaceAccounts('# later\n')).toThrow('is not valid YAML: expected a document')
})

it.each([
  ['a: [\n', /^line \d is not valid YAML: /],
  ['a: []\na: []\n', /^line 2 is not valid YAML: duplicated mapping key/],
  ['- a\n', /^line 1 does not begin a map/],
  ['a: []\nA_b: []\n', /^line 2 has "A_b", which is not a valid namespace name/],
  ['a: []\nb: aws\\/1\n', /^line 2 has no list for b; write b: \[aws\/111122223333\]/],
  ['a: []\nb:\n', /^line 2 has no list for b/],
  [
    'a:\n- aws/111122223333\n- 111122223333\n',
    /^line 3 has "111122223333"; begin each account with its cloud and a slash: aws, azure, gcp, ibm/,
  ],
  ['a: [aws/*]\nb:\n- aws/1\n', /^line 3 has "aws\/1", which is not an account id of aws/],
  ['a: [__proto__/x]\n', /^line 1 has "__proto__\/x"; begin each/],
])('says what is wrong with which line: %j', (text, says) => {
  expect(() => parseNamespaceAccounts(text)).toThrow(says)
})

it('names the option if the file is missing, and binds no namespace without a file', () => {
  const missing = ['--namespace-accounts', '/nowhere/namespaces.yaml']
  expect(() => readOptions(missing, {})).toThrow(
    '--namespace-accounts (or CAPSPOT_NAMESPACE_ACCOUNTS) is "/nowhere/namespaces.yaml": the file cannot be read (ENOENT).',
  )
  expect(namespaceAccountsIn('')).toBeUndefined()
})
