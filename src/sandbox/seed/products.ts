import type { Values } from '../../core/value.ts';
import type { Seeded } from './events.ts';

const MEALS = ['Kerstbuffet', 'Lunchbuffet', 'Barbecue', 'Walking dinner', 'High tea', 'Borrelpakket'];
const STYLES: readonly (readonly [style: string, factor: number])[] = [
  ['Klassiek', 1],
  ['Hollands', 0.95],
  ['Vegetarisch', 0.9],
  ['Luxe', 1.4],
  ['Royaal', 1.25],
];
const CATEGORY_OF_MEAL = [10, 4, 3, 8, 7, 9];
const PRICE_OF_MEAL = [34.5, 18.75, 29.95, 42.5, 24.95, 14.5];

const euros = (amount: number): number => Math.round(amount * 100) / 100;

/** Packages 5001 to 5030 with ExternalID 30001 to 30030. */
export const PACKAGES: readonly Seeded[] = MEALS.flatMap((meal, index) =>
  STYLES.map(([style, factor], turn): Seeded => {
    const number = index * STYLES.length + turn + 1;
    return {
      id: 5000 + number,
      values: {
        ExternalID: 30_000 + number,
        Actief: number % 11 !== 0,
        ProductTypeID: 1 + (index % 3),
        OmschrijvingIntern: `${meal} ${style}`,
        OmschrijvingExtern: `${style} ${meal.toLowerCase()}`,
        ProductCategorieID: CATEGORY_OF_MEAL[index] ?? null,
        Offertetekst: turn % 2 === 0 ? 'Prijs per persoon, exclusief btw.' : null,
        InterneOpmerking: number % 7 === 0 ? 'recept nakijken' : null,
        Volume: turn === 3 ? 2.25 : null,
        Verkoopprijs: euros((PRICE_OF_MEAL[index] ?? 20) * factor),
        OpnemenInOfferte: true,
        OnderdelenInOfferte: turn === 3,
        OfferteCategorieTonen: index % 2 === 0,
      },
    };
  }),
);

const DISHES: readonly (readonly [name: string, category: number])[] = [
  ['Tomatensoep', 1],
  ['Mosterdsoep', 1],
  ['Pompoensoep', 1],
  ['Aardappelsalade', 2],
  ['Rundvleessalade', 2],
  ['Couscoussalade', 2],
  ['Kipsaté', 3],
  ['Spareribs', 3],
  ['Hamburger', 3],
  ['Lasagne', 4],
  ['Zuurkoolstamppot', 4],
  ['Boerenkoolstamppot', 4],
  ['Stoofvlees', 5],
  ['Biefstukpuntjes', 5],
  ['Kalkoenrollade', 5],
  ['Zalmfilet', 6],
  ['Kabeljauw met mosterdsaus', 6],
  ['Garnalencocktail', 6],
  ['Appeltaart', 7],
  ['Bavarois', 7],
  ['Crème brûlée', 7],
  ['Gevuld ei', 8],
  ['Wrap gerookte zalm', 8],
  ['Zalmwrap', 8],
  ['Bitterbal', 9],
  ['Bitterballen vegan', 9],
  ['Mini-quiche', 9],
  ['Kerststol', 10],
  ['Verse jus d’orange', 11],
  ['Huiscocktail', 12],
];

const stockedValues = (number: number): Values =>
  number % 2 === 0 ? {} : { VoorraadProduct: true, MinimaalVoorraad: 2, MaximaalVoorraad: 40 };

/** Recipes 7001 to 7030 with ExternalID 50001 to 50030. */
export const RECIPES: readonly Seeded[] = DISHES.map(([name, category], index) => {
  const number = index + 1;
  return {
    id: 7000 + number,
    values: {
      ExternalID: 50_000 + number,
      Actief: true,
      OmschrijvingIntern: name,
      ProductCategorieID: category,
      ProductEenheidWaardeID: 201 + (index % 3),
      RekenEenheidID: 1 + (index % 6),
      Gewicht: [0.25, 0.5, 0.75, 1.2][index % 4] ?? 1,
      OPK: [1, 4, 10][index % 3] ?? 1,
      Verkoopprijs: euros(2.5 + index * 0.35),
      Kostprijs: euros(0.9 + index * 0.14),
      PerStukWeergeven: index % 3 === 0,
      Chargegrootte: 20,
      SubAfdelingID: category === 7 ? 3 : 1 + (index % 2),
      THTDagen: 2 + (index % 4),
      IngredientDeclaratie: `${name} (bevat: zie allergenenkaart)`,
      IngredientDeclaratieCategorie: 'Bereid gerecht',
      THTBewaaradviesGeslotenWaardeID: 301 + (index % 2),
      THTBewaaradviesGesloten: 5,
      ...stockedValues(number),
    },
  };
});
