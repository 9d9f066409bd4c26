/** @type {import('next').NextConfig} */
export default {
  // Loaded by Node as it is, with its database and its files beside it.
  serverExternalPackages: ["@footfall/server"],
}
