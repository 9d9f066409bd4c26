// The part of the Workers module that the worker uses.
declare module "cloudflare:workers" {
  export const env: Readonly<Record<"BASE_URL" | "API_KEY" | "ACCESS_TOKEN", string>>
}
