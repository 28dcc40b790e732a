import http from 'node:http'

// Limits of a connection before its first request, so that slow clients and idle connections do not lock out others.

// A connection at rest must be closed by the client: a request that crosses the server’s close is lost. Clients and
// proxies do so after a minute at the most.
const KEEP_ALIVE_MS = 75_000
/** No request of a user or of Nova takes a tenth of it. */
const REQUEST_LIMIT_MS = 60_000
const HEADERS_LIMIT_MS = 10_000
const CHECK_INTERVAL_MS = 2_000
/** Idle timeout in both directions. An event stream sends something every five seconds. */
const SILENCE_LIMIT_MS = 120_000
const MAX_HEADERS = 100
const MAX_CONNECTIONS = 10_000

export function limitedServer(listener: http.RequestListener, options: http.ServerOptions = {}): http.Server {
  const limits = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_LIMIT_MS,
    requestTimeout: REQUEST_LIMIT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  }
  const server = http.createServer({ ...limits, ...options }, listener)
  server.timeout = SILENCE_LIMIT_MS
  server.maxHeadersCount = MAX_HEADERS
  server.maxConnections = MAX_CONNECTIONS
  return server
}
