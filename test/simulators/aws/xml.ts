/** A tree as EC2 answers it: an array becomes `<item>` elements, undefined becomes nothing. */
export type Xml = string | number | boolean | undefined | readonly Xml[] | XmlElement
export interface XmlElement {
  readonly [name: string]: Xml
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

export function xmlDocument(root: string, content: XmlElement, namespace?: string): string {
  const attribute = namespace === undefined ? '' : ` xmlns="${namespace}"`
  return `${declaration}<${root}${attribute}>${children(content)}</${root}>\n`
}

function children(content: XmlElement): string {
  let written = ''
  for (const name of Object.keys(content)) written += element(name, content[name])
  return written
}

function element(name: string, value: Xml): string {
  if (value === undefined) return ''
  const inner = inside(value)
  return inner === '' ? `<${name}/>` : `<${name}>${inner}</${name}>`
}

function inside(value: Exclude<Xml, undefined>): string {
  if (typeof value === 'string') return escape(value)
  if (typeof value !== 'object') return String(value)
  return isList(value) ? value.map((item) => element('item', item)).join('') : children(value)
}

function isList(value: readonly Xml[] | XmlElement): value is readonly Xml[] {
  return Array.isArray(value)
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
  '\n': '&#xA;',
}

function escape(text: string): string {
  return /[&<>"\r\n]/.test(text) ? text.replace(/[&<>"\r\n]/g, (sign) => escapes[sign] ?? sign) : text
}

/** Times as EC2 writes them. */
export function xmlTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
