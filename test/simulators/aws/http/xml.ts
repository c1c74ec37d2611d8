/** A tree as EC2 answers it: an array becomes `<item>` elements, undefined becomes nothing. */
export type Xml = string | number | boolean | undefined | readonly Xml[] | XmlElement | WrittenXml
export interface XmlElement {
  readonly [name: string]: Xml
}

/** The inside of an element, written already: to be written once and used often. */
export class WrittenXml {
  readonly text: string

  constructor(content: XmlElement) {
    const pieces: string[] = []
    writeChildren(content, pieces)
    this.text = pieces.join('')
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

export function xmlDocument(root: string, content: XmlElement, namespace?: string): string {
  const attribute = namespace === undefined ? '' : ` xmlns="${namespace}"`
  const pieces = [`${declaration}<${root}${attribute}>`]
  writeChildren(content, pieces)
  pieces.push(`</${root}>\n`)
  return pieces.join('')
}

// Pieces that are joined once, not strings that grow: a list of a thousand instances has four megabytes, and a string
// that grew from a hundred thousand others is walked through again each time it is used.

function writeChildren(content: XmlElement, pieces: string[]): void {
  for (const name of Object.keys(content)) writeElement(name, content[name], pieces)
}

function writeElement(name: string, value: Xml, pieces: string[]): void {
  if (value === undefined) return
  const start = pieces.push(`<${name}>`)
  writeInside(value, pieces)
  if (pieces.length === start) pieces[start - 1] = `<${name}/>`
  else pieces.push(`</${name}>`)
}

function writeInside(value: Exclude<Xml, undefined>, pieces: string[]): void {
  if (typeof value !== 'object') {
    if (value !== '') pieces.push(typeof value === 'string' ? escape(value) : String(value))
  } else if (value instanceof WrittenXml) pieces.push(value.text)
  else if (isList(value)) for (const item of value) writeElement('item', item, pieces)
  else writeChildren(value, pieces)
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
