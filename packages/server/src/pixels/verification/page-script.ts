// Whether a page loads the script of a pixel: a script tag whose address ends as the pixel's do, on
// whatever host, because a site may serve the pixel host under a name of its own. Reads what was sent;
// a tag that a script of the page adds later is not in it.
import { Parser } from "htmlparser2"

export const hasScriptOf = (html: string, pixelId: string): boolean => {
  const address = new RegExp(`/p/${pixelId}(?:\\.[0-9a-f]{16})?\\.js(?:[?#]|$)`)
  let isFound = false
  const parser = new Parser({
    onopentag: (name, { src }) => {
      if (name === "script" && src !== undefined && address.test(src.trim())) isFound = true
    },
  })
  parser.end(html)
  return isFound
}
