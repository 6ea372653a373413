/**
 * Node aborts the whole process (SIGABRT) when it ends a thread that is inside onnxruntime. So a process that exits waits for the
 * threads that compute. Each has a counter in shared memory of the requests that it was sent and has not ended.
 */
const counters = new Set<Int32Array>()
let listening = false

/** Makes the process wait at its exit until `counter` is 0. */
export function guardExit(counter: Int32Array): void {
  counters.add(counter)
  if (listening) return
  listening = true
  process.on('exit', () => {
    for (const other of counters) {
      for (let open = Atomics.load(other, 0); open > 0; open = Atomics.load(other, 0))
        Atomics.wait(other, 0, open)
    }
  })
}

export function unguardExit(counter: Int32Array): void {
  counters.delete(counter)
}
