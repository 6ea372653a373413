import type { Mode } from '@tandem/sdk'

/** What the page can be told to use: one place, or a hybrid mode. */
export type Choice = 'auto' | 'webgpu' | 'wasm' | 'server' | Mode

export interface Place {
  readonly id: Choice
  readonly label: string
  readonly hint: string
  readonly kind: 'single' | 'hybrid'
}

export const places: readonly Place[] = [
  { id: 'auto', label: 'Auto', hint: 'this device; it says why', kind: 'single' },
  { id: 'webgpu', label: 'WebGPU', hint: 'this device’s GPU, or an error', kind: 'single' },
  { id: 'wasm', label: 'WASM', hint: 'this device’s CPU', kind: 'single' },
  { id: 'server', label: 'Server', hint: 'over HTTP', kind: 'single' },
  { id: 'prefer_on_device', label: 'Prefer device', hint: 'the server if it fails', kind: 'hybrid' },
  { id: 'only_on_device', label: 'Only device', hint: 'the input stays here', kind: 'hybrid' },
  { id: 'prefer_in_cloud', label: 'Prefer server', hint: 'the device if it fails', kind: 'hybrid' },
  { id: 'only_in_cloud', label: 'Only server', hint: 'nothing runs here', kind: 'hybrid' },
]

/** Whether the input may go to the server. */
export function mayLeave(choice: Choice): boolean {
  return choice === 'server' || choice === 'only_in_cloud' || choice.startsWith('prefer_')
}

export function labelOf(choice: Choice): string {
  return places.find((place) => place.id === choice)?.label ?? choice
}
