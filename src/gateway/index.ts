export type { RemoteEmbedderOptions } from './embed/remote.js'
export { createGateway, type Gateway, type GatewayOptions } from './gateway.js'
export type { RetryPolicy } from './limits/retry.js'
export type { RepairPolicy } from './llm.js'
export { openEndpoint } from './loopback/endpoint.js'
export {
  type Loopback,
  type LoopbackOptions,
  startLoopback,
  type Tenant,
  type TenantOptions,
} from './loopback/index.js'
export { type Estimate, estimate, type PlannedCalls } from './price/estimate.js'
export type { Tally, UsageLine, UsageReport } from './price/meter.js'
export { type Price, type Prices, type PriceTable, priceTable } from './price/prices.js'
export { countTokens, promptTokens } from './price/tokens.js'
export { PRESETS, type ProviderConfig, type Providers } from './providers/catalog.js'
export { type ProviderState, providerStates } from './providers/states.js'
export * from './scripted/index.js'
