import { compose } from './compose.ts';
import { isExtensionName } from './extension/name.ts';
import { Field } from './field.ts';
import { limits } from './limits.ts';
import { bootloaders, type Customization, enrollments, type MetaValue, type Schematic } from './schematic.ts';

/**
 * Reads a submitted schematic: YAML, of which JSON is a part. What comes out has no empty values.
 *
 * @throws {SchematicError} with line, column and field of the first thing that is refused.
 */
export function parseSchematic(text: string): Schematic {
  const { document, positionOf } = compose(text);
  const { owner, overlay, customization } = new Field(document.contents, '', 0, positionOf).fields([
    'owner',
    'overlay',
    'customization',
  ]);
  return {
    ...given('owner', owner && ownerOf(owner)),
    ...given('overlay', overlay && overlayOf(overlay)),
    customization: customization === undefined ? {} : customizationOf(customization),
  };
}

/** A field of an object, unless it is undefined or empty. */
function given<const Name extends string, V>(name: Name, value: V | undefined): { [K in Name]?: V } {
  const isEmpty =
    value === undefined ||
    value === '' ||
    value === false ||
    value === 0 ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return (isEmpty ? {} : { [name]: value }) as { [K in Name]?: V };
}

function ownerOf(field: Field): string {
  const owner = field.text();
  if (owner.length > 256 || /\s/u.test(owner))
    field.wrong('must be at most 256 characters without white space');
  return owner;
}

function overlayOf(field: Field): Schematic['overlay'] {
  if (field.isNull()) return undefined;
  const { image, name, options } = field.fields(['image', 'name', 'options']);
  if (image === undefined && name === undefined && options === undefined) return undefined;
  return {
    image:
      image === undefined
        ? field.wrong('needs image')
        : patterned(image, /^[\x21-\x7e]{1,255}$/, 'the reference of an image'),
    name:
      name === undefined
        ? field.wrong('needs name')
        : patterned(name, /^[A-Za-z0-9][\w.-]{0,127}$/, 'a name'),
    ...given('options', options && optionsOf(options)),
  };
}

function optionsOf(field: Field): NonNullable<NonNullable<Schematic['overlay']>['options']> {
  return Object.fromEntries(
    field.entries().map(({ name, value, key }) => {
      if (Buffer.byteLength(name) > 128 || name.includes('\n'))
        key.wrong('must be a name of at most 128 bytes');
      return [name, value.option()];
    }),
  );
}

function patterned(field: Field, pattern: RegExp, what: string): string {
  const text = field.text();
  return pattern.test(text) ? text : field.wrong(`must be ${what}`);
}

function customizationOf(field: Field): Customization {
  const {
    embeddedMachineConfiguration,
    extraKernelArgs,
    meta,
    systemExtensions,
    bootloader,
    secureboot,
    diskImage,
  } = field.fields([
    'embeddedMachineConfiguration',
    'extraKernelArgs',
    'meta',
    'systemExtensions',
    'bootloader',
    'secureboot',
    'diskImage',
  ]);
  return {
    ...given(
      'embeddedMachineConfiguration',
      embeddedMachineConfiguration && configurationOf(embeddedMachineConfiguration),
    ),
    ...given('extraKernelArgs', extraKernelArgs && listOf(extraKernelArgs, limits.kernelArgs, kernelArgOf)),
    ...given(
      'meta',
      meta?.items(limits.meta).map((item) => metaOf(item)),
    ),
    ...given('systemExtensions', systemExtensions && extensionsOf(systemExtensions)),
    ...given('bootloader', bootloader?.word(bootloaders, ['none', 'auto'])),
    ...given('secureboot', secureboot && securebootOf(secureboot)),
    ...given('diskImage', diskImage && diskImageOf(diskImage)),
  };
}

function configurationOf(field: Field): string {
  const text = field.text();
  if (Buffer.byteLength(text) > limits.configurationBytes)
    field.wrong(`is longer than ${limits.configurationBytes} bytes`, 'ERR_SCHEMATIC_LIMIT');
  return text.startsWith('\n') ? field.wrong('must not begin with an empty line') : text;
}

function listOf(field: Field, max: number, read: (item: Field) => string): readonly string[] {
  return field
    .items(max)
    .filter((item) => !item.isNull())
    .map((item) => read(item));
}

/** One argument, as the kernel reads it: no spaces, no quotes, no line ends. */
function kernelArgOf(field: Field): string {
  const argument = patterned(
    field,
    /^(?![=]|-$)[!#-~]+$/,
    'one argument in printable ASCII, without spaces and quotes',
  );
  if (argument.length <= limits.kernelArgBytes) return argument;
  return field.wrong(`is longer than ${limits.kernelArgBytes} bytes`, 'ERR_SCHEMATIC_LIMIT');
}

function metaOf(field: Field): MetaValue {
  const { key, value } = field.fields(['key', 'value']);
  const number = key?.integer() ?? 0;
  if (number < 0 || number > 31) (key ?? field).wrong('must be a public key of META, 0 to 31');
  return { key: number, value: value?.keptText() ?? '' };
}

function extensionsOf(field: Field): NonNullable<Customization['systemExtensions']> {
  const { officialExtensions } = field.fields(['officialExtensions']);
  return given(
    'officialExtensions',
    officialExtensions && listOf(officialExtensions, limits.extensions, extensionOf),
  );
}

function securebootOf(field: Field): NonNullable<Customization['secureboot']> {
  const { enrollKeys, includeWellKnownCertificates } = field.fields([
    'enrollKeys',
    'includeWellKnownCertificates',
  ]);
  return {
    ...given('enrollKeys', enrollKeys?.word(enrollments)),
    ...given('includeWellKnownCertificates', includeWellKnownCertificates?.boolean()),
  };
}

function diskImageOf(field: Field): NonNullable<Customization['diskImage']> {
  const { sectorSize } = field.fields(['sectorSize']);
  const size = sectorSize?.integer() ?? 0;
  if (size === 0) return {};
  return size === 512 || size === 4096
    ? { sectorSize: size }
    : (sectorSize ?? field).wrong('must be 512 or 4096');
}

function extensionOf(field: Field): string {
  const name = field.text();
  return isExtensionName(name) ? name : field.wrong('must be the name of an extension, as os/btrfs');
}
