import { basename, join, resolve } from 'node:path';
import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { isFolder } from '../files/folders.ts';
import { CONFIG_FILE, configPlaces, isTrusted, readConfig, trustFile } from '../session/config-file.ts';
import { riskyIn } from '../session/profile.ts';

/**
 * Lets the settings of a working folder's file count, as it stands now. Throws StopError with EXIT.usage
 * where there is none, it has another name, or it is not as it should be.
 */
export async function trustSettings(named: string | undefined, environment: NodeJS.ProcessEnv = process.env) {
  const { here, trusted } = configPlaces(environment);
  const file = named === undefined ? here : placeNamed(resolve(named));
  const config = readConfig(file);
  if (config === undefined)
    throw usageStop(
      t(`There is no ${file}.`, `Er is geen ${file}.`),
      t(
        `Work in the folder that holds ${CONFIG_FILE}, or name the file.`,
        `Werk in de map waar ${CONFIG_FILE} staat, of noem het bestand.`,
      ),
    );
  // Trusted before, as it stands.
  const before = isTrusted(config, trusted);
  if (!before) await trustFile(config, trusted);
  const profiles = Object.entries(config.profiles).map(([name, profile]) => {
    const risky = new Set(riskyIn(profile));
    return { name, settings: Object.entries(profile).filter(([setting]) => risky.has(setting)) };
  });
  return { file, before, profiles };
}

/** The file that a name means: that of a folder is in it, and no other name is ever read. */
function placeNamed(named: string): string {
  if (isFolder(named)) return join(named, CONFIG_FILE);
  if (basename(named) === CONFIG_FILE) return named;
  throw usageStop(
    t(
      `${named} is no file of settings: only a ${CONFIG_FILE} is ever read as one.`,
      `${named} is geen bestand met instellingen: alleen een ${CONFIG_FILE} wordt ooit zo gelezen.`,
    ),
    t(
      `Name the folder that holds it, or the ${CONFIG_FILE} itself. Nothing is trusted.`,
      `Noem de map waar het in staat, of ${CONFIG_FILE} zelf. Er is niets vertrouwd.`,
    ),
  );
}
