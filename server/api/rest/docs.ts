import type { OpenApiDocument, OperationObject, Parameter } from './openapi'
import type { Schema } from './operations'
import { REST_PATH } from './routes'

// The document as a page for readers: plain HTML without a script, so that it works everywhere.

export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=60',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

const STYLE = `:root{color-scheme:light dark;--accent:light-dark(#075985,#7dd3fc);--line:light-dark(#d4dae2,#334155)}
body{background:light-dark(#fff,#0f172a);color:light-dark(#0f172a,#e2e8f0);font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:1.5rem}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin:2.5rem 0 .5rem}h2::first-letter,nav a::first-letter{text-transform:uppercase}
a{color:var(--accent);text-underline-offset:2px}nav{columns:9rem;column-gap:1rem}nav a{display:inline-block;padding:.1rem 0}
nav a{width:100%}details{border-top:1px solid var(--line);padding:.5rem 0}
summary{cursor:pointer;display:grid;grid-template-columns:4.2rem 1fr;gap:0 .5rem;overflow-wrap:anywhere}
summary::before{content:"+";grid-area:1/1;font:13px/1.7 ui-monospace,monospace;opacity:.7}[open]>summary::before{content:"\\2212"}
summary b{grid-area:1/1;padding-left:1rem;font-size:13px;line-height:1.7}summary span{grid-column:2}
details>:not(summary){margin:.5rem 0 .5rem 4.7rem}details>table{width:calc(100% - 4.7rem)}
code{font:13px/1.45 ui-monospace,monospace}h3{font-size:14px;font-weight:600}
h3[id]{font:600 14px/1.45 ui-monospace,monospace;margin:1.5rem 0 .25rem}h3:target{outline:2px solid var(--accent);outline-offset:4px}
table{border-collapse:collapse;width:100%;font-size:14px}td{border-top:1px solid var(--line);padding:.25rem .75rem .25rem 0;
vertical-align:top;overflow-wrap:anywhere}td:first-child{width:12rem}.quiet{opacity:.75}
@media(max-width:40rem){td:first-child{width:8rem}details>:not(summary){margin-left:0}details>table{width:100%}}`

export function docsPage({ paths, tags, info, components }: OpenApiDocument): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = tags.map(({ name }) => {
    const rows = all.filter(({ operation }) => operation.tags.includes(name)).map(operationHtml)
    return `<h2 id="${name}">${words(name)}</h2>${rows.join('')}`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>REST API of Berth</title><style>${STYLE}</style><main>
<h1>REST API of Berth ${escaped(info.version)}</h1>
<p>Send a token as <code>X-Auth-Token</code> or as <code>Authorization: Bearer</code>. An admin creates tokens on the page
Users. Programs read <a href="${REST_PATH}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav>${tags.map(({ name }) => `<a href="#${name}">${words(name)}</a>`).join('')}<a href="#types">types</a></nav>
${sections.join('\n')}
<h2 id="types">Types</h2>
${Object.entries(components.schemas)
  .map(([name, schema]) => namedTypeHtml(name, schema))
  .join('\n')}</main></html>`
}

const words = (tag: string) => tag.replaceAll('-', ' ')

interface Row {
  readonly path: string
  readonly method: string
  readonly operation: OperationObject
}

function operationHtml({ path, method, operation }: Row): string {
  const { parameters = [], requestBody, responses, summary, description } = operation
  const rows = parameters.map(parameterRow)
  const schema = requestBody?.content['application/json'].schema
  const body = schema ? `<h3>Body</h3>${shapeHtml(schema)}` : ''
  const answer = responses[200].content['application/json']?.schema ?? {}
  return `<details><summary><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code>
<span class="quiet">${escaped(summary)}</span></summary><p>${escaped(description)}</p>
${rows.length > 0 ? `<h3>Parameters</h3>${tableHtml(rows)}` : ''}${body}<p>Answer: <code>${typeHtml(answer)}</code></p></details>`
}

function parameterRow(parameter: Parameter): readonly string[] {
  const schema = parameter.schema ?? parameter.content?.['application/json'].schema ?? {}
  const how = parameter.content ? 'JSON in the query' : parameter.in
  const name = `<code>${escaped(parameter.name)}</code>`
  return [name, `${how}${parameter.required ? ', required' : ''}`, fieldHtml(schema)]
}

const tableHtml = (rows: readonly (readonly string[])[]) =>
  `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`

/** An object as a table of its fields, anything else as its type and limits. */
function shapeHtml(schema: Schema): string {
  const { properties, required = [] } = schema
  if (!properties) return `<p>${fieldHtml(schema)}</p>`
  return tableHtml(
    Object.entries(properties).map(([field, each]) => [
      `<code>${escaped(field)}${required.includes(field) ? '' : '?'}</code>`,
      `${fieldHtml(each)}${each.description ? `<br>${spoken(each.description)}` : ''}`,
    ]),
  )
}

function namedTypeHtml(name: string, schema: Schema): string {
  const { description } = schema
  return `<h3 id="type-${name}">${name}</h3>${description ? `<p>${spoken(description)}</p>` : ''}${shapeHtml(schema)}`
}

const fieldHtml = (schema: Schema) =>
  [`<code>${typeHtml(schema)}</code>`, ...limitsOf(schema)].join('<span class="quiet">, </span>')

/** Constraints of a value besides its type. */
function limitsOf(schema: Schema): readonly string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, pattern } = schema
  return [
    ...rangeOf(minLength, maxLength, ' characters'),
    ...rangeOf(minItems, maxItems, ' items'),
    ...rangeOf(minimum, maximum, ''),
    ...(pattern === undefined ? [] : [`matches <code>${escaped(pattern)}</code>`]),
    ...(schema.default === undefined ? [] : [`default <code>${escaped(JSON.stringify(schema.default))}</code>`]),
  ].map((limit) => `<span class="quiet">${limit}</span>`)
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): readonly string[] {
  const isUnbounded = most === undefined || most >= Number.MAX_SAFE_INTEGER
  if (least === undefined || least <= Number.MIN_SAFE_INTEGER) return isUnbounded ? [] : [`at most ${most}${unit}`]
  return [isUnbounded ? `at least ${least}${unit}` : `${least} to ${most}${unit}`]
}

/** As TypeScript writes it, which is shorter than JSON Schema; a named type leads to where it is. */
function typeHtml(schema: Schema): string {
  const { $ref, type, enum: values, properties, items, prefixItems, anyOf, additionalProperties, required } = schema
  if ($ref) return namedHtml($ref.slice($ref.lastIndexOf('/') + 1))
  if (schema.const !== undefined) return escaped(JSON.stringify(schema.const))
  if (values) return values.map((each) => escaped(JSON.stringify(each))).join(' | ')
  if (anyOf) return anyOf.map(typeHtml).join(' | ')
  if (prefixItems) return `[${prefixItems.map(typeHtml).join(', ')}${items ? `, ...${listHtml(items)}` : ''}]`
  if (items) return listHtml(items)
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, each]) => `${escaped(name)}${required?.includes(name) ? '' : '?'}: ${typeHtml(each)}`,
    )
    return `{ ${fields.join(', ')} }`
  }
  if (typeof additionalProperties === 'object') return `{ [key]: ${typeHtml(additionalProperties)} }`
  return [type ?? 'any JSON'].flat().join(' | ')
}

const namedHtml = (name: string) => `<a href="#type-${name}">${name}</a>`

function listHtml(items: Schema): string {
  const text = typeHtml(items)
  return text.includes(' | ') && !text.startsWith('{') ? `(${text})[]` : `${text}[]`
}

/** A doc comment, in which names stand between backticks. */
const spoken = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
