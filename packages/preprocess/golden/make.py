"""Makes the *.json beside this file with Pillow, the reference:

    apt-get install -y python3-pil && /usr/bin/python3 packages/preprocess/golden/make.py

The pictures are those of `picture()` in src/testing.ts. Results of more than 3 kB are kept as their SHA-256.
"""

import base64
import hashlib
import json
import os

import PIL
from PIL import Image

FILTERS = {
    'nearest': Image.Resampling.NEAREST,
    'box': Image.Resampling.BOX,
    'bilinear': Image.Resampling.BILINEAR,
    'bicubic': Image.Resampling.BICUBIC,
    'lanczos': Image.Resampling.LANCZOS,
}
TRANSPOSE = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
MODES = {1: 'L', 3: 'RGB', 4: 'RGBA'}


def picture(kind, width, height, channels, seed=1):
    data = bytearray(width * height * channels)
    state = seed
    for i in range(len(data)):
        x, y, channel = i // channels % width, i // channels // width, i % channels
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        if kind == 'noise':
            data[i] = state >> 24
        elif kind == 'gradient':
            data[i] = (x * (channel + 1) + y * (channels - channel)) & 255
        else:
            data[i] = 255 if (x + y) % 2 == 0 else 0
    return Image.frombytes(MODES[channels], (width, height), bytes(data))


def source(kind, width, height, channels, seed=1):
    return {'kind': kind, 'width': width, 'height': height, 'channels': channels, 'seed': seed}


def case(name, made_from, step, image, **more):
    data = image.convert('RGB').tobytes()
    output = {'width': image.width, 'height': image.height}
    if len(data) <= 3000:
        output['base64'] = base64.b64encode(data).decode()
    else:
        output['sha256'] = hashlib.sha256(data).hexdigest()
    return {'name': name, 'picture': made_from, 'step': step, 'output': output, **more}


def half_even(x):
    return round(x)


def crop_start(side, cropped):
    """torchvision.transforms.functional.center_crop, with its padding of smaller pictures."""
    return half_even((side - cropped) / 2) if side >= cropped else -((cropped - side) // 2)


def centre(image, width, height):
    canvas = Image.new('RGB', (width, height))
    canvas.paste(image, (-crop_start(image.width, width), -crop_start(image.height, height)))
    return canvas


def shortest(image, side):
    """torchvision.transforms.functional.resize with one number."""
    w, h = image.size
    return (side, int(side * h / w)) if w <= h else (int(side * w / h), side)


def resize_cases():
    for name, filter in FILTERS.items():
        for made_from, size in [
            (source('noise', 37, 29, 3, 7), (16, 12)),
            (source('noise', 37, 29, 3, 7), (41, 24)),
            (source('noise', 23, 17, 3, 9), (23, 8)),
            (source('noise', 23, 17, 3, 9), (11, 17)),
            (source('noise', 5, 3, 3, 3), (24, 20)),
            (source('noise', 31, 1, 3, 4), (7, 5)),
            (source('noise', 41, 33, 1, 5), (13, 15)),
            (source('checkerboard', 64, 64, 3), (8, 8)),
            (source('gradient', 300, 200, 3), (224, 224)),
            (source('noise', 640, 480, 3, 2), (224, 224)),
            (source('noise', 333, 500, 3, 6), (640, 640)),
        ]:
            step = {'op': 'resize', 'to': {'width': size[0], 'height': size[1]}, 'filter': name}
            image = picture(**made_from).resize(size, filter)
            title = f"{name} {made_from['kind']} {made_from['width']}×{made_from['height']} to {size[0]}×{size[1]}"
            yield case(title, made_from, step, image)
    for width, height, side, crop in [(640, 480, 256, 224), (333, 500, 256, 224), (61, 45, 32, 25), (40, 90, 30, 36)]:
        made_from = source('noise', width, height, 3, 8)
        image = picture(**made_from)
        image = centre(image.resize(shortest(image, side), FILTERS['bilinear']), crop, crop)
        step = {
            'op': 'resize',
            'to': {'shortest': side},
            'filter': 'bilinear',
            'crop': {'width': crop, 'height': crop},
        }
        yield case(f'{width}×{height}, shorter side to {side}, centre {crop}', made_from, step, image)


def crop_cases():
    for width, height, w, h in [(20, 14, 10, 7), (21, 15, 10, 8), (23, 13, 10, 10), (9, 7, 14, 12), (9, 20, 14, 12)]:
        made_from = source('noise', width, height, 3, 3)
        step = {'op': 'crop', 'width': w, 'height': h}
        yield case(f'{w}×{h} of {width}×{height}', made_from, step, centre(picture(**made_from), w, h))


def orient_cases():
    for tag in range(1, 9):
        made_from = source('noise', 13, 7, 3, 5)
        image = picture(**made_from)
        image = image if tag == 1 else image.transpose(TRANSPOSE[tag])
        yield case(f'EXIF {tag}', made_from, {'op': 'orient'}, image, orientation=tag)


def composite_cases():
    for background in [(255, 255, 255), (0, 0, 0), (17, 130, 201)]:
        made_from = source('noise', 25, 20, 4, 11)
        image = picture(**made_from)
        canvas = Image.new('RGB', image.size, background)
        canvas.paste(image, mask=image.getchannel('A'))
        step = {'op': 'composite', 'background': list(background)}
        yield case(f'on {background}', made_from, step, canvas)


def letterbox_cases():
    for width, height, w, h, fill, anchor in [
        (40, 25, 24, 24, 114, 'center'),
        (25, 40, 24, 24, 0, 'center'),
        (40, 25, 24, 24, 114, 'top-left'),
        (10, 7, 32, 20, 114, 'center'),
        (640, 480, 128, 128, 0, 'center'),
    ]:
        made_from = source('noise', width, height, 3, 13)
        image = picture(**made_from)
        scale = min(w / width, h / height)
        size = max(1, half_even(width * scale)), max(1, half_even(height * scale))
        at = ((w - size[0]) // 2, (h - size[1]) // 2) if anchor == 'center' else (0, 0)
        canvas = Image.new('RGB', (w, h), (fill,) * 3)
        canvas.paste(image.resize(size, FILTERS['bilinear']), at)
        step = {'op': 'letterbox', 'width': w, 'height': h, 'filter': 'bilinear', 'fill': [fill] * 3, 'anchor': anchor}
        yield case(f'{width}×{height} in {w}×{h}, {anchor}', made_from, step, canvas)


def main():
    ops = {
        'orient': orient_cases(),
        'composite': composite_cases(),
        'resize': resize_cases(),
        'crop': crop_cases(),
        'letterbox': letterbox_cases(),
    }
    for op, cases in ops.items():
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f'{op}.json')
        with open(path, 'w') as file:
            json.dump({'pillow': PIL.__version__, 'cases': list(cases)}, file, ensure_ascii=False, indent=1)
            file.write('\n')


main()
