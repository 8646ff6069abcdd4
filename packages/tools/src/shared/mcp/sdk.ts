// Named here, so that a bundle which loads this file lazily keeps the names.
export { Client, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
