import type { JSX } from 'preact'

/** Nothing has come yet: how to send the first figures. */
export function Empty(): JSX.Element {
  const endpoint = new URL('v1/batch', location.href).href
  return (
    <section class="card empty">
      <h2>Nothing has been sent here yet</h2>
      <p>Give your page, Node process or server a recorder that points at this collector:</p>
      <pre>
        <code>{`import { telemetry } from '@tandem/telemetry'
import { load } from '@tandem/sdk'

const t = telemetry({
  service: 'my-app',
  endpoint: '${endpoint}',
})
const model = await load('/model.onnx', { telemetry: t })`}</code>
      </pre>
      <p>
        Or let the inference server report:{' '}
        <code>tandem serve DIR --collector {new URL('.', location.href).origin}</code>
      </p>
      <p class="muted">This page looks for the first batch by itself.</p>
    </section>
  )
}
