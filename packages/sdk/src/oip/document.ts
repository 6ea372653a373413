import type { Fail } from './wire.js'

/** A value left as text: from `start` up to `end` of the document's text. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/**
 * A parsed JSON document in which the `data` of every tensor is still text: its member holds the index of a span. `JSON.parse`
 * would round 64-bit integers, and make a boxed number of every element.
 */
export interface Document {
  readonly root: unknown
  readonly text: string
  readonly spans: readonly TextSpan[]
}

const maxDepth = 100

const quote = 0x22
const backslash = 0x5c
const open = (char: number): boolean => char === 0x5b || char === 0x7b
const close = (char: number): boolean => char === 0x5d || char === 0x7d
const blank = (char: number): boolean => char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09

/** Parses a request or an answer. Nesting is bounded before anything recurses over it. */
export function parseDocument(text: string, fail: Fail): Document {
  const spans: TextSpan[] = []
  const pieces: string[] = []
  /** The member that each level is in; undefined inside an array. */
  const members: (string | undefined)[] = [undefined]
  let copied = 0
  let at = 0
  while (at < text.length) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      const end = stringEnd(text, at, fail)
      const colon = skipBlank(text, end)
      if (text[colon] !== ':') {
        at = end
        continue
      }
      members[members.length - 1] = key(text.slice(at, end), fail)
      at = skipBlank(text, colon + 1)
      if (isTensorData(members)) {
        const span = { start: at, end: valueEnd(text, at, members.length, fail) }
        pieces.push(text.slice(copied, at), String(spans.push(span) - 1))
        at = copied = span.end
      }
    } else {
      if (open(char)) {
        members.push(undefined)
        if (members.length > maxDepth) throw tooDeep(fail)
      } else if (close(char)) members.pop()
      at++
    }
  }
  pieces.push(text.slice(copied))
  try {
    return { root: JSON.parse(pieces.join('')), text, spans }
  } catch (error) {
    // Positions count in the text without its tensors: they would mislead.
    const reason = String(error instanceof Error ? error.message : error).replace(
      / (in JSON )?at position.*/s,
      '',
    )
    throw fail('', `failed to parse the JSON: ${reason}`)
  }
}

/** The index behind blanks. */
export function skipBlank(text: string, from: number): number {
  let at = from
  while (blank(text.charCodeAt(at))) at++
  return at
}

/** The index behind the string that opens at `from`. */
export function stringEnd(text: string, from: number, fail: Fail): number {
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) return at + 1
    if (char === backslash) at++
  }
  throw fail('', 'failed to parse the JSON: a string does not end')
}

/** Levels: document, root object, list of tensors, tensor. */
function isTensorData(members: readonly (string | undefined)[]): boolean {
  if (members.length !== 4 || members[3] !== 'data' || members[2] !== undefined) return false
  return members[1] === 'inputs' || members[1] === 'outputs'
}

function key(token: string, fail: Fail): string {
  if (!token.includes('\\')) return token.slice(1, -1)
  try {
    return JSON.parse(token)
  } catch {
    throw fail('', `failed to parse the JSON: ${token} is not a string`)
  }
}

function valueEnd(text: string, from: number, outerDepth: number, fail: Fail): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      at = stringEnd(text, at, fail)
      if (depth === 0) return at
      continue
    }
    if (open(char)) {
      if (++depth + outerDepth > maxDepth) throw tooDeep(fail)
    } else if (close(char)) {
      if (depth === 0) break
      if (--depth === 0) return at + 1
    } else if (depth === 0 && (char === 0x2c || blank(char))) break
    at++
  }
  if (at === from || depth > 0)
    throw fail('', `failed to parse the JSON: a value is missing or torn at ${at}`)
  return at
}

function tooDeep(fail: Fail): Error {
  return fail('', `JSON nesting depth exceeds maximum allowed limit (${maxDepth})`)
}
