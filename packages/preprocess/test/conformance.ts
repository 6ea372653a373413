import composite from '../golden/composite.json' with { type: 'json' }
import crop from '../golden/crop.json' with { type: 'json' }
import letterbox from '../golden/letterbox.json' with { type: 'json' }
import orient from '../golden/orient.json' with { type: 'json' }
import resize from '../golden/resize.json' with { type: 'json' }
import type { Case, ImageGolden, Picture } from '../src/testing.js'

type Testing = typeof import('../src/testing.js')

interface Stored {
  readonly name: string
  readonly picture: unknown
  readonly step: unknown
  readonly orientation?: number
  readonly output: {
    readonly width: number
    readonly height: number
    readonly base64?: string
    readonly sha256?: string
  }
}

/** Pillow's verdict on every op, for Node and for a page: `testing` is the source or the built package. */
export const conformance = (testing: Testing): Case[] => {
  const { picture, testOp } = testing
  const goldens = <Op extends 'orient' | 'composite' | 'resize' | 'crop' | 'letterbox'>(file: {
    readonly cases: readonly Stored[]
  }): ImageGolden<Op>[] =>
    file.cases.map(({ name, step, orientation, output, picture: made }) => ({
      name,
      input: picture(made as Picture),
      orientation,
      step: step as ImageGolden<Op>['step'],
      output: {
        width: output.width,
        height: output.height,
        data:
          output.sha256 ?? Uint8Array.from(atob(output.base64 ?? ''), (character) => character.charCodeAt(0)),
      },
    }))
  return [
    ...testOp('orient', goldens(orient)),
    ...testOp('composite', goldens(composite)),
    ...testOp('resize', goldens(resize)),
    ...testOp('crop', goldens(crop)),
    ...testOp('letterbox', goldens(letterbox)),
  ]
}
