function names(list: string): readonly string[] {
  return list.split(/[\s,]+/).filter((name) => name !== '');
}

/** Section 2.2. */
export const packageDetail = names(`ProductID, Actief, ProductTypeID, OmschrijvingIntern,
  OmschrijvingExtern, ProductCategorieID, Offertetekst, InterneOpmerking, Volume, Verkoopprijs,
  OpnemenInOfferte, OnderdelenInOfferte, OfferteCategorieTonen, LMT, ExternalID`);

/** Section 2.4. */
export const recipeDetail = names(`ProductID, Actief, OmschrijvingIntern, ProductCategorieID,
  ProductEenheidWaardeID, Verkoopprijs, OPK, Gewicht, PerStukWeergeven, Chargegrootte,
  MinimaleProductieHoeveelheid, SubAfdelingID, THTDagenDroog, THTDagen, THTDagenAlternatief,
  VoorraadProduct, MinimaalVoorraad, MaximaalVoorraad, LMT, ExternalID, Kostprijs, IngredientDeclaratie,
  IngredientDeclaratieCategorie, THTBewaaradviesGeslotenWaardeID, THTBewaaradviesGesloten,
  THTBewaaradviesGeopendWaardeID, THTBewaaradviesGeopendDagWaardeID`);

/** Section 2.5, without the nested members. */
export const productList = names(`ProductID, ProductTypeID, Actief, OmschrijvingIntern,
  ProductCategorieID, ProductEenheidWaardeID, RekenEenheidID, Artikelnummer, ArtikelnummerExtern,
  Portieartikel, VrijVanAllergenen, RestantNietGebruiken, Gewicht, Uitlekgewicht, OPK, NietBestellen,
  VoorraadProduct, MinimaalVoorraad, MaximaalVoorraad, PrognoseArtikel, PerStukWeergeven,
  AantalDagenVoorEersteActie, OpslagTypeWaardeID, MateriaalGroepWaardeID, OpmerkingISP, LandID,
  THTDagenDroog, THTDagen, THTDagenAlternatief, BeschikbaarVan, BeschikbaarTot, BeschikbaarJaar, LMT,
  ExternalID, IngredientDeclaratie, IngredientDeclaratieCategorie, THTBewaaradviesGeslotenWaardeID,
  THTBewaaradviesGesloten, THTBewaaradviesGeopendWaardeID, THTBewaaradviesGeopendDagWaardeID,
  Verkoopprijs, Chargegrootte, MinimaleProductieHoeveelheid, SubAfdelingID, BereidingsWijzeExtern,
  BereidingsWijze, OmschrijvingExtern, CommOfferteCategorieWaardeID, Volume, OfferteTekst,
  StreektypeWaardeID, GerechttypeWaardeID, NietLosBestelbaar, MinAantalGasten, OpnemenInOfferte,
  OnderdelenInOfferte, OfferteCategorieTonen, InterneOpmerking, costPrice`);

/** Section 2.5, the nested members that are null when absent. */
export const productNested =
  names(`ingredientDeclarationCategory, ingredientDeclaration, allergens, suppliers, servingMaterials,
  storageConditionsClosedId, storageConditionsClosed, storageConditionsClosedDuration,
  storageConditionsOpenId, storageConditionsOpen, storageConditionsOpenDurationId,
  storageConditionsOpenDuration, orderUnit`);

/** Section 2.5, a link object. */
export const productLink = names(`ProductLinkID, ParentID, ChildID, AantalDagenVoorEersteActie,
  AantalMinuten, AantalMinutenOffset, StickersPrinten, ActieWaardeID, ProductieActieCategorieID,
  CompetentieID, ProductTypeID`);

const eventStart =
  names(`ProgrammaDatum, HeeftVulling, PartijID, RelatieID, ContactpersoonID, StatusID, Datum, LocatieID,
  AdministratieID, AardIDNiveau1, AccountmanagerID, SamenstellingGasten, HerrinneringDatum, Opmerkingen,
  OpmerkingenFinancieel, AfleverAdresStraat, AfleverAdresHuisnummer, AfleverAdresPostcode,
  AfleverAdresPlaats, AfleverAdresLand, AfleverAdresContactpersoon, AfleverAdresEmail,
  AfleverAdresTelefoonnummer, Reserveringsdatum, BronWaardeID, AnnuleringsredenWaardeID,
  AnnuleringsredenToelichting, LabelWaardeID, ProjectmanagerID, OptieDatum, AantalGasten,
  PartijOmschrijving, Inkoopordernummer, FactuurRelatieID, FactuurContactPersoonID, TypeWaardeID,
  BehuizingstypeWaardeID, SlagingsWaardeID, RegioWaardeID, PartijNietFactureren, LocatiePrijslijstID,
  LocatiePrijslijstIDAanvullend, LMT, OverruleFinancieelContact, MeerdaagseEvenement, SalesCoordinatorID,
  Budget, DeadlineVersturen, ThemaSfeerID, MateriaalOpmerkingen, KeukenOpmerkingen, AutomatischIncasseren,
  AantalKinderen, NietOpVerzamelFactuur, WerkelijkAantalGasten, AantalGastenDefinitief, TAV, Geachte,
  KostenplaatsID, BTWModusWaardeID`);

const eventEnd = names(`CentraalProducerenWaardeID, ExternalID, LaatsteProductieVerversingLMT`);

/** Section 2.7: the allkassa list ends at GeenOmzet. */
export const eventKassa = [...eventStart, 'GeenOmzet'];

/** Section 2.9: the event within a trip ends at AantalBlauweKasten. */
export const eventInTrip = [...eventKassa, 'AantalRolcontainers', 'AantalBlauweKasten'];

/** Section 2.7: only the detail shows CentraleProductieLocatieID. */
export const eventList = [...eventInTrip, ...eventEnd];

/** Section 2.7, all fields. */
export const eventDetail = [
  ...eventStart,
  'CentraleProductieLocatieID',
  ...eventInTrip.slice(eventStart.length),
  ...eventEnd,
];

/** Section 2.8. */
export const linkList = names(
  'ArrangementID, ArrangementNaam, OfferteOmschrijving, VerkoopPrijs, Actief, PartijID, Aantal, Datum',
);

/** Section 2.9, as the list by dates returns it. */
export const tripList = names(`RitID, PartijID, Datum, Opmerking, Verwerkt, LMT, Van, Tot, Omschrijving,
  Naar, RelatieID, ContactpersoonID, Straat, Huisnummer, Postcode, Plaats, Land, Culinair, Decoratie,
  Dranken, Entertainment, Materialen, OverigeDiensten, Techniek, Keukenrit, DEL, ProgrammaID,
  Verkoopprijs, Kostprijs, KM, BTWID, RealisatieIngevoerd, GrootboekrekeningID, OfferteTekst,
  FactuurregelID, LMTCreated, OmschrijvingExtern, OpnemenInOfferte, Chauffeur, TypeVoertuigID,
  AantalBlauweKastenRit, AantalRolcontainersRit, RetourRit`);

/** Section 2.9: only the list by LMT returns the subtype. */
export const tripByLmt = tripList.flatMap((name) =>
  name === 'TypeVoertuigID' ? [name, 'SubtypeRitID'] : [name],
);

/** Section 2.9, the contact person. */
export const contactFields =
  names(`ContactpersoonID, RelatieID, Geslacht, Voornaam, Tussenvoegsel, Achternaam, Telefoon,
  TelefoonPrive, Mobiel, Fax, Email, EmailPrive, FinancieelContact, Opmerking, DEL, AfdelingWaardeID,
  FunctieID, Straat, Huisnummer, Postcode, Plaats, Provincie, Land, Voorletters, TitelID,
  MailingOntvangen, Twitter, LinkedIn, ContactpersoonTypeWaardeID, Geachte`);

/** Section 2.9, the relation. */
export const relationFields =
  names(`RelatieID, DebiteurNummer, CrediteurNummer, Bedrijfsnaam, Telefoon, Fax, Email, Website,
  BTWNummer, Opmerking, TypeRelatieID, BetalingsTermijn, DEL, TAVStijl, DigitaleFactuur, KvKnummer,
  BedrijfsvormWaardeID, Broncode, Kredietbeperking, BankNr, IbanNr, BicNr, Boekhoudkoppeling_Forceren,
  BetalingsTermijn_Crediteur, ExternalID, MandaatID, EvenementOpmerking, EersteBoekingJaar,
  EersteBoekingDagMaand, KredietCheck, KredietWaardigheid, KredietCheckDatum, TypeGebruikerWaardeID,
  IncassoRekeninghouder, IncassoOndertekenDatum, IncassoMachtigingAkkoord, TAVHandmatig,
  LocatienummersTonen, OprichtingsDatum`);

/** Section 2.9, what a trip asks of people. */
export const demandFields = names(`BehoefteID, BehoefteTypeID, PartijID, LocatieID, AfdelingID, Datum,
  AantalPersonen, Van, Tot, CompetentieID, Vertrek, Retour, Omschrijving, RitID`);

/** Section 2.9, an element of its planning. */
export const planningFields =
  names(`PlanningID, BehoefteID, WerknemerID, CompetentieID, Datum, Vertrek, Van, Tot, Retour,
  MedewerkerAkkoordDatum, MedewerkerAkkoord, MedewerkerOpmerking, PlanningOpmerking, Invoerdatum, LMT,
  Ziek, EigenAuto, PlanningAkkoordStatusID`);
