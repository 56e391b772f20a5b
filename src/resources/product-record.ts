import { z } from 'zod';
import { type Bilingual, t } from '../core/language.ts';
import type { Values } from '../core/value.ts';
import { detailAnswer, detailMembers, listedMembers, type Members, typed, writeAnswer } from '../schema/answer.ts';
import { defineEndpoint } from '../schema/endpoint.ts';
import { bodySchema, type Fields, identifier } from '../schema/field.ts';
import { tellingAnswer } from '../schema/judge-answer.ts';
import { listAnswer, productQuery } from '../schema/page.ts';
import { lookupEndpoints } from './lookups.ts';

/** A link of a product: recipes have one of each kind, packages a list. */
const link = {
  ...typed('int', 'ProductLinkID', 'ParentID', 'ChildID', 'AantalDagenVoorEersteActie'),
  ...typed('float', 'AantalMinuten', 'AantalMinutenOffset'),
  StickersPrinten: 'bool',
  ...typed('int', 'ActieWaardeID', 'ProductieActieCategorieID', 'CompetentieID', 'ProductTypeID'),
} satisfies Members;

/** The product record in the allModified lists of packages and recipes (interface 2.5). */
const productMembers = {
  ...typed('int', 'ProductID', 'ProductTypeID'),
  Actief: 'bool',
  OmschrijvingIntern: 'string',
  ...typed('int', 'ProductCategorieID', 'ProductEenheidWaardeID', 'RekenEenheidID'),
  ...typed('string', 'Artikelnummer', 'ArtikelnummerExtern'),
  ...typed('unknown', 'Portieartikel', 'VrijVanAllergenen', 'RestantNietGebruiken'),
  ...typed('float', 'Gewicht', 'Uitlekgewicht'),
  OPK: 'int',
  NietBestellen: 'unknown',
  VoorraadProduct: 'bool',
  ...typed('int', 'MinimaalVoorraad', 'MaximaalVoorraad'),
  PrognoseArtikel: 'unknown',
  PerStukWeergeven: 'bool',
  ...typed('int', 'AantalDagenVoorEersteActie', 'OpslagTypeWaardeID', 'MateriaalGroepWaardeID'),
  OpmerkingISP: 'string',
  ...typed('int', 'LandID', 'THTDagenDroog', 'THTDagen', 'THTDagenAlternatief'),
  ...typed('unknown', 'BeschikbaarVan', 'BeschikbaarTot', 'BeschikbaarJaar'),
  LMT: 'datetime',
  ExternalID: 'int',
  ...typed('string', 'IngredientDeclaratie', 'IngredientDeclaratieCategorie'),
  ...typed('int', 'THTBewaaradviesGeslotenWaardeID', 'THTBewaaradviesGesloten', 'THTBewaaradviesGeopendWaardeID', 'THTBewaaradviesGeopendDagWaardeID'),
  Verkoopprijs: 'float',
  ...typed('int', 'Chargegrootte', 'MinimaleProductieHoeveelheid', 'SubAfdelingID'),
  ...typed('string', 'BereidingsWijzeExtern', 'BereidingsWijze', 'OmschrijvingExtern'),
  CommOfferteCategorieWaardeID: 'int',
  Volume: 'float',
  OfferteTekst: 'string',
  ...typed('int', 'StreektypeWaardeID', 'GerechttypeWaardeID'),
  NietLosBestelbaar: 'unknown',
  MinAantalGasten: 'int',
  ...typed('bool', 'OpnemenInOfferte', 'OnderdelenInOfferte', 'OfferteCategorieTonen'),
  InterneOpmerking: 'string',
  costPrice: 'float',
  productType: { one: { ProductTypeID: 'int', ProductType: 'string', VerkoopCategorieID: 'int' } },
  ...typed('unknown', 'ingredientDeclarationCategory', 'ingredientDeclaration', 'allergens', 'suppliers', 'servingMaterials', 'nutrients'),
  productStockLocation: { one: { ProductVoorraadLocatieID: 'int', ProductID: 'int', VoorraadLocatieID: 'int', StellingID: 'int', SchapID: 'int', Standaard: 'bool' } },
  productActions: { many: link },
  productLinks: { many: link },
  ...typed('unknown', 'storageConditionsClosedId', 'storageConditionsClosed', 'storageConditionsClosedDuration', 'storageConditionsOpenId'),
  ...typed('unknown', 'storageConditionsOpen', 'storageConditionsOpenDurationId', 'storageConditionsOpenDuration', 'orderUnit'),
} satisfies Members;

/** What a shop, a supplier or a shelf calls a product: told by lists alone (interface 2.5). */
export const articleNumbers = {
  Artikelnummer: identifier({ reads: 'list', help: t('Article number; never sent, a row without a key is found by it', 'Artikelnummer; wordt nooit verstuurd, een rij zonder sleutel wordt erop gevonden') }),
  ArtikelnummerExtern: identifier({
    reads: 'list',
    help: t(
      'Article number elsewhere, such as a supplier’s; never sent, a row without a key is found by it',
      'Artikelnummer elders, zoals bij een leverancier; wordt nooit verstuurd, een rij zonder sleutel wordt erop gevonden',
    ),
  }),
} satisfies Fields;

/** What is told of one kind of product beside its fields. */
interface ProductKind {
  /** One record, and several. */
  readonly called: readonly [one: Bilingual, several: Bilingual];
  /** Such as `packages`; its endpoints are named after it. */
  readonly name: string;
  readonly section: string;
  /** What the paths of its endpoints begin with. */
  readonly path: string;
  /** The path segments of its detail by ExternalID that are text. */
  readonly texts?: readonly string[];
  /** The body of an update, where it is more than the fields. */
  readonly update?: z.ZodType<Values>;
}

/** What all kinds of products have alike: keys, list and six endpoints (interface 4.1 to 4.3). */
export function productOf(fields: Fields, { called: [a, many], name, section, path, texts = [], update = bodySchema(fields, 'update') }: ProductKind) {
  const listed = listedMembers(fields, productMembers);
  const one = { section, method: 'GET', effect: 'none', answer: detailAnswer(detailMembers(fields), 'ProductID') } as const;
  const page = listAnswer(listed, { id: 'ProductID', inPages: true });
  const requests = {
    create: defineEndpoint({ name: `${name}.create`, summary: t(`Make ${a.en}`, `Maak ${a.nl}`), section, method: 'PUT', path: `${path}/create`, effect: 'each', body: bodySchema(fields, 'create'), answer: writeAnswer }),
    update: defineEndpoint({ name: `${name}.update`, summary: t(`Change ${a.en}`, `Wijzig ${a.nl}`), section, method: 'POST', path: `${path}/update`, effect: 'same', body: update, answer: tellingAnswer }),
    remove: defineEndpoint({
      name: `${name}.delete`,
      summary: t(`Delete ${a.en}`, `Verwijder ${a.nl}`),
      section,
      method: 'DELETE',
      path: `${path}/delete`,
      effect: 'same',
      body: z.strictObject({ ProductID: z.int() }),
      answer: tellingAnswer,
    }),
    findById: defineEndpoint({ ...one, name: `${name}.detail`, summary: t(`Read ${a.en} by its number`, `Lees ${a.nl} op nummer`), path: `${path}/detail/{ID}` }),
    findByExternal: defineEndpoint({
      ...one,
      name: `${name}.detailExternal`,
      summary: t(`Read ${a.en} by your own number, ExternalID`, `Lees ${a.nl} op je eigen nummer, ExternalID`),
      path: `${path}/detailExternal/{ID}`,
      texts,
    }),
    list: defineEndpoint({
      name: `${name}.allModified`,
      summary: t(`List ${many.en} changed after LMT`, `Lees ${many.nl} gewijzigd na LMT`),
      section,
      method: 'POST',
      path: `${path}/allModified`,
      effect: 'none',
      body: productQuery,
      answer: page,
    }),
  } as const;
  const articles = Object.keys(articleNumbers);
  const roles = { id: 'ProductID', external: 'ExternalID', label: 'OmschrijvingIntern', active: 'Actief', names: ['Omschrijving', 'ProductNaam'] } as const;
  return { name, kind: 'catalogue', keys: ['ProductID', 'ExternalID', ...articles], articles, ...roles, listed, fields, findAny: lookupEndpoints.product, requests } as const;
}
