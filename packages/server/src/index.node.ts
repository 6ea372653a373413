// The server without a port: fetch(Request): Promise<Response>

export type { ModelState, ServedModel } from './models.js'
export type { Server, ServerOptions } from './server.js'
export { server } from './server.js'

// A folder of models, and a port

export type { ModelConfig } from './config.js'
export type { RepositoryOptions } from './repository.node.js'
export { repository } from './repository.node.js'
export type { ServeOptions, Serving } from './serve.node.js'
export { serve } from './serve.node.js'
