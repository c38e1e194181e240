import type { Providers } from './provider-config.js'

/** Where each OpenAI-compatible server listens, and how it is told not to reason. */
const NO_TEMPLATE_THINKING = { chat_template_kwargs: { enable_thinking: false } }

/**
 * Providers known without configuration. `settings` are those of the official package, each with the variables that may hold it; `needs` are
 * groups of variables, one of each group.
 */
export const PRESETS: Providers = {
  openai: { kind: 'openai', keyEnv: 'OPENAI_API_KEY', needsKey: true },
  'openai-responses': { kind: 'openai-responses', keyEnv: 'OPENAI_API_KEY', needsKey: true },
  azure: {
    kind: 'azure',
    keyEnv: 'AZURE_API_KEY',
    needsKey: true,
    settings: { resourceName: ['AZURE_RESOURCE_NAME'] },
    needs: [['AZURE_RESOURCE_NAME', 'MEMSCOPE_AZURE_BASE_URL']],
  },
  'azure-classic': {
    kind: 'azure',
    keyEnv: 'AZURE_API_KEY',
    needsKey: true,
    settings: { resourceName: ['AZURE_RESOURCE_NAME'], apiVersion: ['AZURE_API_VERSION'] },
    fixed: { useDeploymentBasedUrls: true, apiVersion: '2024-10-21' },
    needs: [['AZURE_RESOURCE_NAME', 'MEMSCOPE_AZURE_CLASSIC_BASE_URL']],
  },
  anthropic: { kind: 'anthropic', keyEnv: 'ANTHROPIC_API_KEY', needsKey: true },
  google: { kind: 'google', keyEnv: 'GOOGLE_GENERATIVE_AI_API_KEY', needsKey: true },
  vertex: {
    kind: 'vertex',
    keyEnv: 'GOOGLE_VERTEX_API_KEY',
    needsKey: false,
    settings: {
      project: ['GOOGLE_VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT'],
      location: ['GOOGLE_VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION'],
    },
    fixed: { location: 'global' },
    needs: [['GOOGLE_VERTEX_API_KEY', 'GOOGLE_VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT', 'MEMSCOPE_VERTEX_API_KEY']],
  },
  bedrock: {
    kind: 'bedrock',
    keyEnv: 'AWS_BEARER_TOKEN_BEDROCK',
    needsKey: false,
    settings: {
      region: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
      accessKeyId: ['AWS_ACCESS_KEY_ID'],
      secretAccessKey: ['AWS_SECRET_ACCESS_KEY'],
      sessionToken: ['AWS_SESSION_TOKEN'],
    },
    needs: [
      ['AWS_REGION', 'AWS_DEFAULT_REGION'],
      ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'MEMSCOPE_BEDROCK_API_KEY'],
    ],
  },
  openrouter: {
    kind: 'openai-compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyEnv: 'OPENROUTER_API_KEY',
    needsKey: true,
    reasoningOff: { reasoning: { enabled: false } },
  },
  groq: { kind: 'groq', baseUrl: 'https://api.groq.com/openai/v1', keyEnv: 'GROQ_API_KEY', needsKey: true },
  mistral: { kind: 'mistral', baseUrl: 'https://api.mistral.ai/v1', keyEnv: 'MISTRAL_API_KEY', needsKey: true },
  deepseek: {
    kind: 'deepseek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyEnv: 'DEEPSEEK_API_KEY',
    needsKey: true,
    structured: 'json',
    reasoningOff: { thinking: { type: 'disabled' } },
  },
  ollama: {
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:11434/v1',
    reasoningOff: { reasoningEffort: 'none' },
  },
  vllm: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:8000/v1', reasoningOff: NO_TEMPLATE_THINKING },
  lmstudio: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1234/v1' },
  llamacpp: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:8080/v1', reasoningOff: NO_TEMPLATE_THINKING },
  'openai-compatible': { kind: 'openai-compatible' },
}
