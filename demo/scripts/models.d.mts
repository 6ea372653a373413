export const modelFiles: { readonly blazeface: string; readonly silero_vad: string }
export function assembleModels(folder?: string): Promise<string>
