// The HTML that puts a pixel on a page (spec 2.3, 6.1): its tag, the tag that pins the script to its hash, and the
// entries that a Content-Security-Policy needs.
import { Context } from "effect"
import type { ImmutableScript } from "./immutable-scripts.ts"
import type { PixelEmbed } from "./pixel.ts"

/** `PIXEL_BASE_URL`: public URL of the pixel host, without a trailing slash. */
export class PixelBaseUrl extends Context.Service<PixelBaseUrl, string>()(
  "@footfall/server/pixels/PixelBaseUrl",
) {}

/** Everything a pixel loads and sends is below this path. */
const hostOf = (pixelBaseUrl: string): string => `${pixelBaseUrl}/p/`

export const scriptAddressOf = (pixelBaseUrl: string, pixelId: string): string =>
  `${hostOf(pixelBaseUrl)}${pixelId}.js`

export const embedOf = (
  pixelBaseUrl: string,
  pixelId: string,
  { hash, integrity }: ImmutableScript,
): { readonly code: string; readonly embed: PixelEmbed } => {
  const host = hostOf(pixelBaseUrl)
  const url = `${host}${pixelId}.${hash}.js`
  return {
    code: `<script async src="${attribute(scriptAddressOf(pixelBaseUrl, pixelId))}"></script>`,
    embed: {
      immutable: {
        url,
        integrity,
        code: `<script async src="${attribute(url)}" integrity="${integrity}" crossorigin="anonymous"></script>`,
      },
      contentSecurityPolicy: { scriptSrc: host, connectSrc: host },
    },
  }
}

const attribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
