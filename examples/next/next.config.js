/** @type {import('next').NextConfig} */
export default {
  // Node loads it unbundled, with its database and files next to it.
  serverExternalPackages: ["@footfall/server"],
}
