/** What the package is called where it is installed and imported. It is installed from a file: on a registry the name may be anybody's. */
export const PACKAGE_NAME = 'memscope'
