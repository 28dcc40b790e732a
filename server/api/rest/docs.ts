import type { OpenApiDocument, OperationObject, Parameter } from './openapi'
import type { Schema } from './operations'
import { REST_PATH } from './routes'

// The document as a page for people: plain HTML without a script, so that it needs nothing and is read anywhere.

export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=60',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

const STYLE = `:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin:2rem 0 .5rem;text-transform:capitalize}
nav{display:flex;flex-wrap:wrap;gap:.25rem .75rem}
details{border-top:1px solid color-mix(in srgb,currentColor 18%,transparent);padding:.4rem 0}
summary{cursor:pointer;overflow-wrap:anywhere}summary b{display:inline-block;min-width:4.2rem}
code,pre{font:13px/1.45 ui-monospace,monospace}pre{overflow-x:auto;padding:.75rem;border-radius:6px;
background:color-mix(in srgb,currentColor 8%,transparent)}
table{border-collapse:collapse;width:100%}td{padding:.15rem .75rem .15rem 0;vertical-align:top;overflow-wrap:anywhere}
h3{font:600 14px/1.45 ui-monospace,monospace;margin:1.5rem 0 .25rem}h3:target{outline:2px solid;outline-offset:4px}
.types{font-size:14px}.types td:first-child{width:12rem}.quiet{opacity:.7}`

export function docsPage({ paths, tags, info, components }: OpenApiDocument): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = tags.map(({ name }) => {
    const rows = all.filter(({ operation }) => operation.tags.includes(name)).map(operationHtml)
    return `<h2 id="${name}">${words(name)}</h2>${rows.join('')}`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>REST API of Berth</title><style>${STYLE}</style>
<h1>REST API of Berth ${escaped(info.version)}</h1>
<p>Send a token as <code>X-Auth-Token</code> or as <code>Authorization: Bearer</code>. An admin creates tokens on the page
Users. Programs read <a href="${REST_PATH}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav>${tags.map(({ name }) => `<a href="#${name}">${words(name)}</a>`).join('')}<a href="#types">types</a></nav>
${sections.join('\n')}
<h2 id="types">Types</h2>
${Object.entries(components.schemas)
  .map(([name, schema]) => namedTypeHtml(name, schema))
  .join('\n')}</html>`
}

const words = (tag: string) => tag.replaceAll('-', ' ')

interface Row {
  readonly path: string
  readonly method: string
  readonly operation: OperationObject
}

function operationHtml({ path, method, operation }: Row): string {
  const { parameters = [], requestBody, responses, summary, description } = operation
  const rows = parameters.map(parameterHtml).join('')
  const schema = requestBody?.content['application/json'].schema
  const body = schema ? `<p>Body:</p><pre>${escaped(JSON.stringify(schema, null, 2))}</pre>` : ''
  const answer = responses[200].content['application/json']?.schema ?? {}
  return `<details><summary><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code><br>
<span class="quiet">${escaped(summary)}</span></summary><p>${escaped(description)}</p>
${rows ? `<table>${rows}</table>` : ''}${body}<p>Answer: <code>${typeHtml(answer)}</code></p></details>`
}

function parameterHtml(parameter: Parameter): string {
  const schema = parameter.schema ?? parameter.content?.['application/json'].schema
  const how = parameter.content ? 'JSON in the query' : parameter.in
  const cells = [`<code>${escaped(parameter.name)}</code>`, `${how}${parameter.required ? ', required' : ''}`]
  return `<tr>${[...cells, `<code>${escaped(JSON.stringify(schema))}</code>`].map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

/** An object as a table of its fields, anything else as what it may be. */
function namedTypeHtml(name: string, schema: Schema): string {
  const { description, properties, required = [] } = schema
  const rows = Object.entries(properties ?? {}).map(([field, each]) => {
    const cells = [
      `<code>${escaped(field)}${required.includes(field) ? '' : '?'}</code>`,
      `<code>${typeHtml(each)}</code>${each.description ? `<br>${spoken(each.description)}` : ''}`,
    ]
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const shape = properties ? `<table class="types">${rows.join('')}</table>` : `<p><code>${typeHtml(schema)}</code></p>`
  return `<h3 id="type-${name}">${name}</h3>${description ? `<p>${spoken(description)}</p>` : ''}${shape}`
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

/** A comment of the code, in which names stand between backticks. */
const spoken = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
