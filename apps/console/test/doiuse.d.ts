declare module 'doiuse' {
  import type { AcceptedPlugin } from 'postcss'

  interface Settings {
    readonly browsers: readonly string[]
    readonly ignore: readonly string[]
    onFeatureUsage(usage: { readonly feature: string; readonly message: string }): void
  }
  export default function doiuse(settings: Settings): AcceptedPlugin
}
