/** The release of onnxruntime that this package is made for: the one in its `peerDependencies`. */
export const ortVersion = '1.30.0'
