/** `${NAME}` and `${NAME:=default}`, as clusterctl reads them. */
const variable = /\$\{(?<name>\w+)(:=(?<fallback>[^}]*))?\}/g

/** The text of an example with its variables filled in, as `clusterctl generate yaml` does it. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(variable, (whole, name: string, _, fallback?: string) => {
    const value = values[name] ?? fallback
    if (value === undefined) throw new Error(`The example has ${whole}, and ${name} is not set; give it a value.`)
    return value
  })
}

/** The variables that have to be given, because the example has no default for them. */
export function variablesOf(text: string): string[] {
  const required = [...text.matchAll(variable)].filter(({ groups }) => groups?.['fallback'] === undefined)
  return [...new Set(required.map(({ groups }) => groups?.['name'] ?? ''))].sort()
}
