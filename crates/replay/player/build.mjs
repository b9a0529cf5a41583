// Bundles src/main.js with three.js and fflate into dist/player.js: one classic script, minified, licences kept.
import { build } from "esbuild";
import { readFileSync } from "node:fs";

const out = process.argv[2] ?? "dist/player.js";
await build({
  entryPoints: ["src/main.js"],
  outfile: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  legalComments: "inline",
  charset: "utf8",
  banner: { js: "/* gudgeon player (MIT OR Apache-2.0); with three.js (c) three.js authors, MIT, and fflate (c) Arjun Barrett, MIT */" },
});
const text = readFileSync(out, "utf8");
if (/<\/script|<!--/i.test(text)) throw new Error("the bundle would end its script element early");
console.log(`${out}: ${text.length} characters`);
