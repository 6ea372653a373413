/**
 * Node aborts the whole process (SIGABRT) when it ends a thread that is inside onnxruntime. So a process that exits waits for the
 * threads that compute. Each shares two numbers with it: how many requests it was sent and has not ended, and its state.
 */
const threads = new Set<Int32Array>()

/** Where the numbers are. */
export const requests = 0
export const state = 1

/** The states. A thread that still loads at the exit never begins, so nobody waits for it, nor for a script that is not ours. */
export const loading = 0
export const serving = 1
const over = 2

let listening = false

/** Makes the process wait at its exit until the thread has ended its requests. */
export function guardExit(thread: Int32Array): void {
  threads.add(thread)
  if (listening) return
  listening = true
  process.on('exit', () => {
    for (const other of threads) {
      if (Atomics.compareExchange(other, state, loading, over) === loading) continue
      for (let open = Atomics.load(other, requests); open > 0; open = Atomics.load(other, requests))
        Atomics.wait(other, requests, open)
    }
  })
}

export function unguardExit(thread: Int32Array): void {
  threads.delete(thread)
}
