/** The part of subset-font that is used; the package ships no types. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: "woff"; keepFeatures: string[]; noHinting: boolean },
  ): Promise<Buffer>;
}
